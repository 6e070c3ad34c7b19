import { tag, transferSyntax, type JsonDataset } from '@dmp/dicom'
import { paletteDescriptors, paletteTables } from '../dicomweb/dataset.ts'
import { withUsableHeader } from './header.ts'
import { inListOrder, readSeries, seriesEntry, seriesTitle, whyNotShown, type SeriesEntry } from './series.ts'

const entry: SeriesEntry = {
  studyUid: '1.1',
  uid: '1.1.2',
  modality: 'CT',
  description: '',
  number: 3,
  instanceCount: 2,
  bodyPart: '',
  laterality: '',
}
const picture = (uid: string, more: JsonDataset = {}): JsonDataset => ({
  [tag.SOPInstanceUID]: { Value: [uid] },
  [tag.Rows]: { Value: [4] },
  [tag.Columns]: { Value: [8] },
  ...more,
})

describe('a series', () => {
  it('knows why an object has no picture here [7.42]', () => {
    const shape = { [tag.SamplesPerPixel]: { Value: [1] }, [tag.BitsAllocated]: { Value: [16] } }
    const syntax = (uid: string) => ({ [tag.AvailableTransferSyntaxUID]: { Value: [uid] } })
    expect(whyNotShown(picture('1.5', shape))).toBeUndefined()
    expect(whyNotShown(picture('1.5', { [tag.Rows]: { Value: [1] }, [tag.Columns]: { Value: [1] } }))).toBeUndefined()
    expect(whyNotShown({ [tag.SOPInstanceUID]: { Value: ['1.5'] } })).toBe('no-images')
    for (const end of ['102', '100.1', '108'])
      expect(whyNotShown(picture('1.5', syntax(`1.2.840.10008.1.2.4.${end}`)))).toBe('video')
    expect(whyNotShown(picture('1.5', { [tag.FloatPixelData]: { vr: 'OF' } }))).toBe('decimals')
    expect(whyNotShown(picture('1.5', { ...shape, [tag.BitsAllocated]: { Value: [64] } }))).toBe('unsupported')
    expect(whyNotShown(picture('1.5', { ...shape, [tag.SamplesPerPixel]: { Value: [4] } }))).toBe('unsupported')
  })

  it('has a modality in each header, which Cornerstone takes for granted [7.42]', () => {
    const modalityOf = (header: JsonDataset, modality = '') =>
      readSeries({ ...entry, modality }, [header]).slices[0]?.header[tag.Modality]?.Value
    expect(modalityOf(picture('1.5'))).toEqual(['OT'])
    expect(modalityOf(picture('1.5'), 'CT')).toEqual(['CT'])
    expect(modalityOf(picture('1.5', { [tag.Modality]: { Value: ['MR'] } }))).toEqual(['MR'])
  })

  it('has headers that fit plain frames, and the shape of the stored ones [7.42]', () => {
    const colours = {
      [tag.SamplesPerPixel]: { Value: [3] },
      [tag.BitsAllocated]: { Value: [16] },
      [tag.PlanarConfiguration]: { Value: [1] },
      [tag.AvailableTransferSyntaxUID]: { Value: [transferSyntax.rleLossless] },
    }
    const [slice] = readSeries(entry, [picture('1.5', colours)]).slices
    expect(slice?.shape).toMatchObject({ samples: 3, bitsAllocated: 16, isPlanar: true })
    expect(
      [tag.BitsAllocated, tag.PlanarConfiguration, tag.PhotometricInterpretation].map(
        (key) => slice?.header[key]?.Value,
      ),
    ).toEqual([[8], [0], ['RGB']])
  })

  it('has one picture for each instance, fetched from the same origin [7.42]', () => {
    const { slices } = readSeries(entry, [picture('1.1.2.1')])
    expect(slices.map(({ imageId }) => imageId)).toEqual([
      'wadors:/dicom-web/studies/1.1/series/1.1.2/instances/1.1.2.1/frames/1',
    ])
  })

  it('has one picture for each frame of a multi-frame object [7.42]', () => {
    const { slices } = readSeries(entry, [picture('1.9', { [tag.NumberOfFrames]: { Value: ['3'] } })])
    expect(slices.map(({ frame }) => frame)).toEqual([1, 2, 3])
    expect(slices.at(-1)!.imageId).toMatch(/frames\/3$/)
  })

  it('leaves out documents and video, and says how many [7.42]', () => {
    const video = picture('1.5', { [tag.AvailableTransferSyntaxUID]: { Value: ['1.2.840.10008.1.2.4.102'] } })
    const report = { [tag.SOPInstanceUID]: { Value: ['1.6'] } }
    const series = readSeries(entry, [video, report, picture('1.7')])
    expect([series.slices.length, series.leftOut]).toEqual([1, 2])
  })

  it('leaves out what has rows or columns only [7.42]', () => {
    for (const missing of [tag.Rows, tag.Columns])
      for (const Value of [[], [0]])
        expect(readSeries(entry, [picture('1.7', { [missing]: { Value } })]).leftOut).toBe(1)
  })

  it('takes name, id and date of the patient from the headers [7.42]', () => {
    const header = picture('1.7', {
      [tag.PatientName]: { Value: [{ Alphabetic: 'DOE^JANE' }] },
      [tag.PatientID]: { Value: ['P-7'] },
      [tag.StudyDate]: { Value: ['20240102'] },
    })
    expect(readSeries(entry, [header])).toMatchObject({
      patientName: 'DOE, JANE',
      patientId: 'P-7',
      studyDate: '2024-01-02',
    })
  })

  it('knows how fast to play [7.42]', () => {
    expect(readSeries(entry, [picture('1', { [tag.FrameTime]: { Value: [40] } })]).frameRate).toBe(25)
    expect(readSeries(entry, [picture('1', { [tag.CineRate]: { Value: [15] } })]).frameRate).toBe(15)
    const recommended = { [tag.RecommendedDisplayFrameRate]: { Value: [12] }, [tag.CineRate]: { Value: [15] } }
    expect(readSeries(entry, [picture('1', recommended)]).frameRate).toBe(12)
    expect(
      readSeries(entry, [picture('1', { [tag.CineRate]: { Value: [0] }, [tag.FrameTime]: { Value: [40] } })]).frameRate,
    ).toBe(25)
    expect(readSeries(entry, [picture('1', { [tag.FrameTime]: { Value: [0] } })]).frameRate).toBeUndefined()
  })

  it('is listed by its number, and named by it without a description [7.42]', () => {
    const listed = inListOrder([
      { ...entry, uid: 'b', number: undefined },
      { ...entry, uid: 'a', number: 10 },
      { ...entry, uid: 'c', number: 9 },
    ])
    expect(listed.map(({ uid }) => uid)).toEqual(['c', 'a', 'b'])
    expect(
      inListOrder([
        { ...entry, uid: '1.10' },
        { ...entry, uid: '1.9' },
      ]).map(({ uid }) => uid),
    ).toEqual(['1.9', '1.10'])
    expect(seriesTitle(entry)).toBe('Series 3')
    expect(seriesEntry({}, '1.1')).toBeUndefined()
  })

  it('is what the list says of it, and what its headers say where the list leaves it out [7.42]', () => {
    const uid = { [tag.SeriesInstanceUID]: { Value: ['1.1.2'] } }
    const said = {
      [tag.StudyInstanceUID]: { Value: ['1.7'] },
      [tag.Modality]: { Value: ['MG'] },
      [tag.SeriesDescription]: { Value: ['CC'] },
      [tag.BodyPartExamined]: { Value: ['BREAST'] },
      [tag.Laterality]: { Value: ['L'] },
    }
    const nothing = { studyUid: '1.1', modality: '', description: '', bodyPart: '', laterality: '' }
    expect(seriesEntry({ ...uid, ...said }, '1.1')).toMatchObject({
      studyUid: '1.7',
      modality: 'MG',
      description: 'CC',
      bodyPart: 'BREAST',
      laterality: 'L',
    })
    expect(seriesEntry(uid, '1.1')).toMatchObject(nothing)
    const header = picture('1.5', { ...said, [tag.SeriesDescription]: { Value: ['MLO'] } })
    expect(readSeries({ ...entry, modality: '', description: '' }, [header])).toMatchObject({
      modality: 'MG',
      description: 'MLO',
    })
    expect(readSeries({ ...entry, description: 'CC' }, [header])).toMatchObject({ modality: 'CT', description: 'CC' })
  })

  it('has no picture of an object that nobody can ask for, as it has no UID [7.42]', () => {
    expect(readSeries(entry, [picture(''), picture('1.5')]).slices).toHaveLength(1)
  })
})

describe('the memory that a picture takes', () => {
  it.each([
    ['grey of 8 bits', 1, 8, 1],
    ['grey of 16 bits, which may become a float', 1, 16, 4],
    ['colour, which becomes RGBA', 3, 8, 4],
  ])('is, of %s, counted by pixel [7.42]', (_what, samples, bits, each) => {
    expect(
      readSeries(entry, [
        picture('1', { [tag.SamplesPerPixel]: { Value: [samples] }, [tag.BitsAllocated]: { Value: [bits] } }),
      ]).sliceBytes,
    ).toBe(4 * 8 * each)
  })
})

describe('a header for the picture loader', () => {
  it('loses a window that would show nothing, and keeps the others [7.42]', () => {
    const header = { [tag.WindowWidth]: { Value: ['0', '400'] }, [tag.WindowCenter]: { Value: ['0', '40'] } }
    const usable = withUsableHeader(header)
    expect(usable[tag.WindowWidth]!.Value).toEqual([400])
    expect(usable[tag.WindowCenter]!.Value).toEqual([40])
    expect(header[tag.WindowWidth]!.Value).toEqual(['0', '400'])
    expect(
      withUsableHeader({ [tag.WindowWidth]: { Value: [0, 1] }, [tag.WindowCenter]: { Value: [0, 7] } })[
        tag.WindowWidth
      ]!.Value,
    ).toEqual([1])
    expect(withUsableHeader({ [tag.WindowWidth]: { Value: [0] }, [tag.WindowCenter]: { Value: [0] } })).toEqual({})
  })

  it('keeps windows as they are where each has its width and its center, and only those that have [7.42]', () => {
    const whole = { [tag.WindowWidth]: { Value: ['400', '80'] }, [tag.WindowCenter]: { Value: ['40', '40'] } }
    expect(withUsableHeader(whole)).toEqual(whole)
    const uneven = withUsableHeader({ [tag.WindowWidth]: { Value: [400] }, [tag.WindowCenter]: { Value: [40, 50] } })
    expect([uneven[tag.WindowWidth]!.Value, uneven[tag.WindowCenter]!.Value]).toEqual([[400], [40]])
    const wide = withUsableHeader({ [tag.WindowWidth]: { Value: [400, 80] }, [tag.WindowCenter]: { Value: [40] } })
    expect([wide[tag.WindowWidth]!.Value, wide[tag.WindowCenter]!.Value]).toEqual([[400], [40]])
  })

  it('has colour tables as numbers, of 8 and of 16 bits [7.42]', () => {
    const table = (bytes: number[], entries: number) =>
      withUsableHeader({
        [paletteDescriptors[0]]: { Value: [entries, 0, 16] },
        [paletteTables[0]]: { InlineBinary: btoa(bytes.map((byte) => String.fromCharCode(byte)).join('')) },
      })[paletteTables[0]]!.Value
    expect(table([1, 2, 3, 4], 2)).toEqual([0x0201, 0x0403])
    expect(table([9, 8], 2)).toEqual([9, 8])
    // No entries are said for as many as 16 bits can count.
    const whole = Array.from({ length: 65_536 * 2 }, (_, at) => at % 251)
    expect(table(whole, 0)).toHaveLength(65_536)
  })
})
