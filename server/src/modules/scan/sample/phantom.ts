import { tag } from '@dmp/dicom'
import { elementBytes, part10Start, textValue } from '@dmp/dimse/elementWriter'

/** A drawn chest: shapes that a viewer shows like a CT, and nobody's picture. */
export const slices = 24
const size = 160
const frameOfReferenceUID = '00200052'
const ctImage = '1.2.840.10008.5.1.4.1.1.2'
const explicitLittle = { isExplicit: true, isBigEndian: false } as const

/** Hounsfield units are stored with this added, so that they are whole and not negative. */
const zero = 1024

interface Shape {
  readonly at: readonly [across: number, down: number]
  readonly half: readonly [across: number, down: number]
  readonly units: number
}

/** Later shapes lie upon earlier ones; `along` runs from -1 to 1 through the slices. */
function shapesAt(along: number): Shape[] {
  const lung = Math.sqrt(Math.max(0, 1 - along ** 2))
  return [
    { at: [0, 0], half: [0.88, 0.62], units: -90 },
    { at: [0, 0], half: [0.82, 0.56], units: 45 },
    { at: [-0.4, -0.03], half: [0.3 * lung, 0.42 * lung], units: -820 },
    { at: [0.42, -0.03], half: [0.29 * lung, 0.42 * lung], units: -820 },
    { at: [0.1, 0.1], half: [0.2 * lung + 0.05, 0.17 * lung + 0.05], units: 60 },
    { at: [0, 0.42], half: [0.1, 0.09], units: 420 },
    { at: [0, 0.42], half: [0.035, 0.035], units: 20 },
    { at: [0.06, 0.27], half: [0.055, 0.055], units: 190 },
    { at: [-0.45 + 0.1 * along, -0.1], half: [0.045 * lung, 0.045 * lung], units: 30 },
  ]
}

/** Rows of 16 bit. A little grain, the same each time, so that windowing shows something everywhere. */
function drawSlice(index: number): Buffer {
  const pixels = Buffer.alloc(size * size * 2)
  const shapes = shapesAt((2 * index) / (slices - 1) - 1)
  let grain = index + 1
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const [across, down] = [(2 * x) / size - 1, (2 * y) / size - 1]
      let units = -1000
      for (const { at, half, units: inside } of shapes)
        if (half[0] > 0 && ((across - at[0]) / half[0]) ** 2 + ((down - at[1]) / half[1]) ** 2 < 1) units = inside
      grain = (grain * 1_103_515_245 + 12_345) % 2_147_483_648
      const value = Math.max(0, units + zero + (units > -1000 ? ((grain >> 16) % 31) - 15 : 0))
      pixels.writeUInt16LE(value, (y * size + x) * 2)
    }
  }
  return pixels
}

const short = (value: number): { vr: string; value: Buffer } => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return { vr: 'US', value: bytes }
}

/** One slice as a file. */
export function createSlice(index: number, toUid: (name: string) => string, date: string): Buffer {
  const sopInstanceUID = toUid(`instance ${index}`)
  const text = (vr: string, value: string) => textValue(vr, value)
  const elements = {
    [tag.SpecificCharacterSet]: text('CS', 'ISO_IR 192'),
    [tag.ImageType]: text('CS', 'DERIVED\\SECONDARY\\AXIAL'),
    [tag.SOPClassUID]: text('UI', ctImage),
    [tag.SOPInstanceUID]: text('UI', sopInstanceUID),
    [tag.StudyDate]: text('DA', date),
    [tag.SeriesDate]: text('DA', date),
    [tag.AcquisitionDate]: text('DA', date),
    [tag.StudyTime]: text('TM', '120000'),
    [tag.AccessionNumber]: text('SH', 'SAMPLE'),
    [tag.Modality]: text('CS', 'CT'),
    [tag.Manufacturer]: text('LO', 'Data Management Platform'),
    [tag.StudyDescription]: text('LO', 'Sample study'),
    [tag.SeriesDescription]: text('LO', 'Drawn phantom, not a patient'),
    [tag.PatientName]: text('PN', 'Sample^Phantom'),
    [tag.PatientID]: text('LO', 'SAMPLE'),
    [tag.BodyPartExamined]: text('CS', 'CHEST'),
    [tag.SliceThickness]: text('DS', '5'),
    [tag.StudyInstanceUID]: text('UI', toUid('study')),
    [tag.SeriesInstanceUID]: text('UI', toUid('series')),
    [tag.SeriesNumber]: text('IS', '1'),
    [tag.InstanceNumber]: text('IS', String(index + 1)),
    [tag.ImagePositionPatient]: text('DS', `-180\\-180\\${index * 5}`),
    [tag.ImageOrientationPatient]: text('DS', '1\\0\\0\\0\\1\\0'),
    [frameOfReferenceUID]: text('UI', toUid('frame of reference')),
    [tag.SamplesPerPixel]: short(1),
    [tag.PhotometricInterpretation]: text('CS', 'MONOCHROME2'),
    [tag.Rows]: short(size),
    [tag.Columns]: short(size),
    [tag.PixelSpacing]: text('DS', '2.25\\2.25'),
    [tag.BitsAllocated]: short(16),
    [tag.BitsStored]: short(12),
    [tag.HighBit]: short(11),
    [tag.PixelRepresentation]: short(0),
    [tag.BurnedInAnnotation]: text('CS', 'NO'),
    [tag.WindowCenter]: text('DS', '-250'),
    [tag.WindowWidth]: text('DS', '1700'),
    [tag.RescaleIntercept]: text('DS', String(-zero)),
    [tag.RescaleSlope]: text('DS', '1'),
    [tag.PixelData]: { vr: 'OW', value: drawSlice(index) },
  }
  const start = part10Start({ sopClassUID: ctImage, sopInstanceUID, transferSyntaxUID: '1.2.840.10008.1.2.1' })
  const sorted = Object.entries(elements).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.concat([start, ...sorted.map(([key, element]) => elementBytes(key, element, explicitLittle))])
}
