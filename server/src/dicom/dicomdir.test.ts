import { items, number, text } from './attributes.ts'
import { createBufferSource } from './byteSource.ts'
import { createDicomdir, type DirectoryContent, type DirectoryObject } from './dicomdir.ts'
import { toJson, type JsonDataset } from './jsonModel.ts'
import { readPart10 } from './part10.ts'
import { parseDataSet } from './instance.ts'

const object = (sopClassUID: string, hasImage = false): DirectoryObject => ({
  path: ['DICOM', 'I0000000'],
  sopClassUID,
  sopInstanceUID: '1.2.3.4.5',
  transferSyntaxUID: '1.2.840.10008.1.2.1',
  instanceNumber: 1,
  hasImage,
})
const series: DirectoryContent = {
  patientName: 'Tester^Tilda',
  patientID: 'T-1',
  studyUID: '1.2.3',
  studyDate: '20240506',
  studyTime: '101112',
  studyDescription: 'Knee',
  studyID: 'S-1',
  accessionNumber: 'A-1',
  seriesUID: '1.2.3.4',
  seriesNumber: '7',
  modality: 'CT',
  objects: [],
}

/** The records, as a reader of media meets them. */
async function records(content: DirectoryContent): Promise<readonly JsonDataset[]> {
  const part10 = await readPart10(createBufferSource(createDicomdir(content)))
  return items(toJson(parseDataSet(part10), part10, 2 ** 20).json, '00041220')
}
const image = '1.2.840.10008.5.1.4.1.1.'

describe('a directory of a series [7.38]', () => {
  it.each([
    ['2', true, 'IMAGE'],
    ['88.59', false, 'KEY OBJECT DOC'],
    ['88.11', false, 'SR DOCUMENT'],
    ['11.1', false, 'PRESENTATION'],
    ['9.1.1', false, 'WAVEFORM'],
    ['104.1', false, 'ENCAP DOC'],
    ['66', false, 'RAW DATA'],
    ['66.1', false, 'REGISTRATION'],
    ['66.1', true, 'IMAGE'],
    ['481.3', false, 'RT STRUCTURE SET'],
    ['481.5', false, 'RT PLAN'],
    ['481.2', true, 'IMAGE'],
    ['66.4', false, 'IMAGE'],
  ])('calls an object of class …%s, with a picture or without (%s), %s [7.38]', async (end, hasImage, type) => {
    expect(
      text((await records({ ...series, objects: [object(`${image}${end}`, hasImage)] }))[3] ?? {}, '00041430'),
    ).toBe(type)
  })

  it('tells what is known, and fills in what must be there [7.38]', async () => {
    const tags = [
      ['00100020', '00080020', '00080030', '00200010', '00080060', '00200011'],
      [0, 1, 1, 1, 2, 2],
    ] as const
    const told = async (content: DirectoryContent) => {
      const directoryRecords = await records(content)
      return tags[0].map((tag, index) => text(directoryRecords[tags[1][index] ?? 0] ?? {}, tag))
    }
    expect(await told(series)).toEqual(['T-1', '20240506', '101112', 'S-1', 'CT', '7'])
    expect(
      await told({
        ...series,
        patientID: '',
        studyDate: '',
        studyTime: '',
        studyID: '',
        modality: '',
        seriesNumber: '',
      }),
    ).toEqual(['UNKNOWN', '19000101', '000000', 'UNKNOWN', 'OT', '0'])
  })

  it('leads nowhere below a series without objects [7.38]', async () => {
    const lower = async (content: DirectoryContent) =>
      (await records(content)).map((record) => number(record, '00041420') !== 0)
    expect([await lower(series), await lower({ ...series, objects: [object(`${image}2`, true)] })]).toEqual([
      [true, true, false],
      [true, true, true, false],
    ])
  })
})
