import { elementBytes, itemBytes } from '@dmp/dimse/elementWriter'
import { date, name, nameSpellings, texts } from './attributes.ts'
import type { JsonValue } from './jsonModel.ts'
import { readInstanceBytes } from './instance.ts'
import { DicomRefusal } from './refusal.ts'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  explicitLittle,
  slice,
  text,
  u16,
  type Elements,
} from './testing/dicomFile.ts'

const implicit = '1.2.840.10008.1.2'
const explicit = '1.2.840.10008.1.2.1'
const findReason = (bytes: Buffer): Promise<string> =>
  readInstanceBytes(bytes).then(
    () => 'taken',
    (cause: unknown) => (cause instanceof DicomRefusal ? cause.reason : String(cause)),
  )
const without = (tag: string): Elements => Object.fromEntries(Object.entries(slice()).filter(([key]) => key !== tag))

describe('numbers that the standard leaves open', () => {
  // What pads a picture around the round field of a scanner.
  const padding = (value: number) => ({ '00280120': { vr: 'SS', value: Buffer.from(Int16Array.of(value).buffer) } })

  it.each([
    [implicit, 'SS', -2000],
    [explicit, 'SS', -2000],
  ])('are signed where the pixels are: %s [3.13]', async (transferSyntaxUID, vr, value) => {
    const { header } = await readInstanceBytes(
      dicomFile({ transferSyntaxUID, elements: slice({ ...padding(-2000), '00280103': u16(1) }) }),
    )
    expect(header['00280120']).toEqual({ vr, Value: [value] })
  })

  it('are not signed where the pixels are not [3.13]', async () => {
    const { header } = await readInstanceBytes(
      dicomFile({ transferSyntaxUID: implicit, elements: slice({ ...padding(-2000) }) }),
    )
    expect(header['00280120']).toEqual({ vr: 'US', Value: [63_536] })
  })

  it('and names, items and empty sequences read alike in each spelling [3.13]', async () => {
    const elements = slice({
      '00081140': [{ '00081155': text('UI', '1.2.3.9') }],
      '00082112': [],
      '00091001': text('LO', 'private'),
    })
    const [plain, implicitHeader] = await Promise.all(
      [explicit, implicit].map(
        async (transferSyntaxUID) => (await readInstanceBytes(dicomFile({ transferSyntaxUID, elements }))).header,
      ),
    )
    const { '00091001': privateElement, ...rest } = plain ?? {}
    expect(implicitHeader).toEqual({
      ...rest,
      '00091001': { vr: 'UN', InlineBinary: Buffer.from('private ').toString('base64') },
    })
    expect(privateElement).toEqual({ vr: 'LO', Value: ['private'] })
  })
})

describe('elements whose kind nobody states', () => {
  it.each([
    ['the name of a maker', '00090010', 'ACME', { vr: 'LO', Value: ['ACME'] }],
    ['a table of words', '00281200', '\x01\0', { vr: 'OW', InlineBinary: 'AQA=' }],
    ['a curve', '54000110', '\x01\0', { vr: 'OW', InlineBinary: 'AQA=' }],
    ['a place in a directory', '00041200', '\x01\0\0\0', { vr: 'UL', Value: [1] }],
  ])('are read as the standard says: %s [3.13]', async (_what, tag, value, expected) => {
    const { header } = await readInstanceBytes(
      dicomFile({
        transferSyntaxUID: implicit,
        elements: slice({ [tag]: { vr: 'OB', value: Buffer.from(value, 'latin1') } }),
      }),
    )
    expect(header[tag]).toEqual(expected)
  })
})

describe('what people read of a header', () => {
  const header = (vr: string, ...Value: JsonValue[]) => ({ '00091010': { vr, Value } })

  it('has the values of a list, whether words or numbers, without those that are missing [3.13]', () => {
    expect(texts(header('CS', 'ORIGINAL', null, 'AXIAL'), '00091010')).toBe('ORIGINAL, AXIAL')
    expect(texts(header('DS', 0.5, null, 2), '00091010', ' × ')).toBe('0.5 × 2')
    expect([texts(header('DS', null), '00091010'), texts({}, '00091010')]).toEqual([null, null])
  })

  it('has every spelling of a name for the search, and none where the first of several is missing [3.12, 3.13]', () => {
    const patientName = { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎' }
    const read = (...values: JsonValue[]) => [
      name(header('PN', ...values), '00091010'),
      nameSpellings(header('PN', ...values), '00091010'),
    ]
    expect(read(patientName)).toEqual(['Yamada, Tarou', 'Yamada Tarou 山田 太郎'])
    expect([read(null, patientName), read()]).toEqual([
      [null, ''],
      [null, ''],
    ])
  })

  it.each([
    ['20240229', '2024-02-29'],
    ['2024.02.29', '2024-02-29'],
    ['20230229', null],
    ['20240431', null],
    ['20241301', null],
    ['', null],
  ])('shows %j as the date %s: days that never were are none [3.13]', (written, expected) => {
    expect(date(header('DA', written), '00091010')).toBe(expected)
  })
})

describe('the ends of what is read at a time', () => {
  const firstReadBytes = 256 * 1024

  it('may lie in the middle of the head of an element [3.12]', async () => {
    const start = dicomFile().length - datasetBytes(slice()).length
    const comment = (length: number) =>
      elementBytes('00080001', { vr: 'UT', value: Buffer.alloc(length, 0x20) }, explicitLittle)
    const base = start + comment(0).length
    for (let offset = 2; offset <= 12; offset += 2) {
      const bytes = dicomFile({
        dataset: Buffer.concat([comment(firstReadBytes - base - offset), datasetBytes(slice())]),
      })
      expect([offset, await findReason(bytes)]).toEqual([offset, 'taken'])
    }
  })

  it('may lie in the middle of the head of a fragment [3.12]', async () => {
    const dataset = (length: number) =>
      Buffer.concat([datasetBytes(without('7FE00010')), encapsulated([Buffer.alloc(length, 1), Buffer.alloc(8, 2)])])
    for (let length = 4060; length <= 4096; length += 2)
      expect([
        length,
        await findReason(dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.4.50', dataset: dataset(length) })),
      ]).toEqual([length, 'taken'])
  })

  it('are no ends of file meta information: it may not be longer [P12]', async () => {
    const file = dicomFile()
    const long = elementBytes('00020102', { vr: 'OB', value: Buffer.alloc(firstReadBytes) }, explicitLittle)
    const start = file.length - datasetBytes(slice()).length
    expect(await findReason(Buffer.concat([file.subarray(0, start), long, file.subarray(start)]))).toBe('META')
  })

  it('take file meta information by its word: what it claims has to be there [P12]', async () => {
    const claiming = (bytes: number): Buffer => {
      const file = dicomFile()
      file.writeUInt32LE(file.length - 144 + bytes, 140)
      return file
    }
    expect([await findReason(claiming(0)), await findReason(claiming(1))]).toEqual(['taken', 'META'])
  })

  it('are not minded behind the pixels, where a scanner leaves a byte or two [3.12]', async () => {
    for (const trailing of ['x', 'xyz'])
      expect(await findReason(Buffer.concat([dicomFile(), Buffer.from(trailing)]))).toBe('taken')
    expect(
      await findReason(
        dicomFile({
          transferSyntaxUID: '1.2.840.10008.1.2.4.50',
          dataset: Buffer.concat([
            datasetBytes(without('7FE00010')),
            encapsulated([Buffer.alloc(8)]).subarray(0, -8),
            itemBytes(Buffer.alloc(8), false).subarray(0, -2),
          ]),
        }),
      ),
    ).toBe('TRUNCATED')
  })
})
