import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { tag } from '@dmp/dicom'
import { text } from './attributes.ts'
import { decodeFrame } from './decodeFrame.ts'
import { clean } from './deidentifyInTests.ts'
import { createReport } from './deidentify.ts'
import { readSampleLayout } from './explicitForm.ts'
import { readFrameTable, readWholeFrame } from './frames.ts'
import { readInstanceBytes, type Instance } from './instance.ts'
import { readImageShape } from './pixelCheck.ts'
import { canDecode, findDecodedPhotometric } from './sampleLayout.ts'
import { sampleObjects } from './sampleObjects.ts'
import { dicomFile, slice, text as textElement, u16, type Elements } from './testing/dicomFile.ts'

const rectangle = { x: 2, y: 1, width: 5, height: 3 }
const look = { rectangles: [rectangle] }

/** The samples of each frame, colours side by side; undefined where the object cannot be a reference. */
async function readSamples({ part10, header }: Instance): Promise<Buffer[]> {
  const table = await readFrameTable(part10, header)
  const frames: Buffer[] = []
  for (let frame = 1; frame <= table.frames; frame += 1) {
    const bytes = await readWholeFrame(part10.source, table, frame, 2 ** 28)
    if (!bytes) throw new Error('no frame')
    frames.push(
      table.fragments
        ? Buffer.from(await decodeFrame(bytes, part10.transferSyntax.uid, readSampleLayout(header)))
        : bytes,
    )
  }
  return frames
}

/** Whether a byte of an interleaved frame belongs to a pixel of the rectangle. */
function isInside(at: number, columns: number, pixelBytes: number): boolean {
  const [x, y] = [Math.floor(at / pixelBytes) % columns, Math.floor(at / pixelBytes / columns)]
  const { width, height } = rectangle
  return x >= rectangle.x && x < rectangle.x + width && y >= rectangle.y && y < rectangle.y + height
}

const damaged = new Set(['SC_rgb_jpeg.dcm', 'JPEG2000-embedded-sequence-delimiter.dcm'])

describe('masking of real objects [P36]', () => {
  const masked: string[] = []
  it.each(sampleObjects().map((path) => [basename(path), path]))(
    'changes nothing outside of %s',
    async (name, path) => {
      const original = await readInstanceBytes(readFileSync(path)).catch(() => undefined)
      if (!original?.part10.pixelData || damaged.has(name)) return
      const { header, part10 } = original
      const shape = readImageShape(header)
      const isPlanar =
        shape.samples > 1 && text(header, tag.PlanarConfiguration) === '1' && !part10.transferSyntax.isEncapsulated
      const photometric = text(header, tag.PhotometricInterpretation) ?? ''
      const decodes = !part10.transferSyntax.isEncapsulated || canDecode(part10.transferSyntax.uid)
      if (!decodes || isPlanar || shape.bitsAllocated % 8 !== 0 || photometric.endsWith('422')) return
      const copy = await clean(readFileSync(path), createReport(), look)
      const [before, after] = [await readSamples(original), await readSamples(copy.instance)]
      expect(after.length).toBe(before.length)
      const pixelBytes = (shape.samples * shape.bitsAllocated) / 8
      const insides = new Set<string>()
      for (const [frame, samples] of after.entries()) {
        const former = before[frame] ?? Buffer.alloc(0)
        expect(samples.length).toBe(former.length)
        const changed = [...samples.keys()].filter(
          (at) => samples[at] !== former[at] && !isInside(at, shape.columns, pixelBytes),
        )
        expect(changed).toEqual([])
        for (let at = 0; at < samples.length; at += pixelBytes)
          if (isInside(at, shape.columns, pixelBytes)) insides.add(samples.toString('hex', at, at + pixelBytes))
      }
      expect(insides.size).toBeLessThanOrEqual(1)
      const { header: said } = copy.instance
      expect([text(said, tag.BurnedInAnnotation), said[tag.ImageType]?.Value?.[0]]).toEqual(['NO', 'DERIVED'])
      expect(text(said, tag.PhotometricInterpretation)).toBe(
        part10.transferSyntax.isEncapsulated
          ? findDecodedPhotometric(part10.transferSyntax.uid, photometric)
          : photometric,
      )
      masked.push(name)
    },
  )

  it('was tried on enough of them', () => expect(masked.length).toBeGreaterThan(40))
})

const picture = (changes: Elements): Buffer =>
  dicomFile({
    elements: slice({
      [tag.Rows]: u16(8),
      [tag.Columns]: u16(8),
      [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(128, 0x11) },
      ...changes,
    }),
  })
/** The bytes of the first pixel of the rectangle. */
async function blackOf(changes: Elements, pixelBytes: number): Promise<string> {
  const { instance } = await clean(picture(changes), createReport(), look)
  const [frame] = await readSamples(instance)
  const at = (rectangle.y * 8 + rectangle.x) * pixelBytes
  return frame?.toString('hex', at, at + pixelBytes) ?? ''
}

describe('black [P36]', () => {
  it.each([
    ['the lowest value', 'MONOCHROME2', {}, '0000'],
    ['the highest value where low ones are white', 'MONOCHROME1', {}, 'ff0f'],
    ['the lowest of signed values', 'MONOCHROME2', { [tag.PixelRepresentation]: u16(1) }, '00f8'],
    ['the highest of signed values', 'MONOCHROME1', { [tag.PixelRepresentation]: u16(1) }, 'ff07'],
    ['moved to where the bits lie', 'MONOCHROME1', { [tag.HighBit]: u16(15) }, 'f0ff'],
  ])('is %s: %s', async (_what, photometric, changes, black) => {
    expect(await blackOf({ [tag.PhotometricInterpretation]: textElement('CS', photometric), ...changes }, 2)).toBe(
      black,
    )
  })

  it('is the darkest colour of a palette', async () => {
    const descriptor = { vr: 'US', value: Buffer.from([3, 0, 5, 0, 16, 0]) }
    const table = (...values: number[]) => ({ vr: 'OW', value: Buffer.from(new Uint16Array(values).buffer) })
    const palette = {
      [tag.PhotometricInterpretation]: textElement('CS', 'PALETTE COLOR'),
      [tag.RedPaletteColorLookupTableDescriptor]: descriptor,
      [tag.GreenPaletteColorLookupTableDescriptor]: descriptor,
      [tag.BluePaletteColorLookupTableDescriptor]: descriptor,
      [tag.RedPaletteColorLookupTableData]: table(60000, 100, 50),
      [tag.GreenPaletteColorLookupTableData]: table(0, 100, 50),
      [tag.BluePaletteColorLookupTableData]: table(0, 100, 60000),
    }
    expect(await blackOf(palette, 2)).toBe('0600')
  })

  it.each([
    ['RGB', '000000'],
    ['YBR_FULL', '008080'],
    ['YBR_PARTIAL_420', '108080'],
  ])('is without colour in %s', async (photometric, black) => {
    const changes = {
      [tag.SamplesPerPixel]: u16(3),
      [tag.PlanarConfiguration]: u16(0),
      [tag.BitsAllocated]: u16(8),
      [tag.BitsStored]: u16(8),
      [tag.HighBit]: u16(7),
      [tag.PhotometricInterpretation]: textElement('CS', photometric),
      [tag.PixelData]: { vr: 'OB', value: Buffer.alloc(192, 0x11) },
    }
    expect(await blackOf(changes, 3)).toBe(black)
  })

  it('takes along what described the former pixels', async () => {
    const smallest = { '00280106': u16(3), '00280107': u16(9) }
    const { instance } = await clean(picture(smallest), createReport(), look)
    expect([instance.header['00280106'], instance.header['00280107']]).toEqual([undefined, undefined])
    const untouched = await clean(picture(smallest), createReport(), { rectangles: [] })
    expect(untouched.instance.header['00280106']?.Value).toEqual([3])
    expect(text(untouched.instance.header, tag.BurnedInAnnotation)).toBe('NO')
    expect(untouched.instance.header[tag.ImageType]).toBeUndefined()
  })
})

it('says in the object and in the report that somebody looked [P36]', async () => {
  const { instance, report } = await clean(picture({}), createReport(), look)
  const codes = (instance.header[tag.DeidentificationMethodCodeSequence]?.Value ?? []) as Record<
    string,
    { Value: string[] }
  >[]
  expect(codes.map((code) => code[tag.CodeValue]?.Value[0])).toEqual(['113100', '113101'])
  expect(text(instance.header, tag.DerivationDescription)).toBe('Rectangles blackened to hide burned-in text.')
  expect(report.counts.get('pixel data: rectangles blackened after somebody had looked')).toBe(1)
})
