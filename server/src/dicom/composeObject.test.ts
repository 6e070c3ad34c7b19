import { tag } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { composeObjects, type BulkValue } from './composeObject.ts'
import { readInstanceBytes } from './instance.ts'
import { dicomLimits } from './limits.ts'

const max = { objects: 10, bytes: 2 ** 30 }
const image: Readonly<Record<string, unknown>> = {
  [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.66'] },
  [tag.SOPInstanceUID]: { vr: 'UI', Value: ['1.2.3.4'] },
  [tag.StudyInstanceUID]: { vr: 'UI', Value: ['1.2'] },
  [tag.SeriesInstanceUID]: { vr: 'UI', Value: ['1.2.3'] },
  [tag.Modality]: { vr: 'CS', Value: ['OT'] },
}
function compose(elements: Readonly<Record<string, unknown>>, bulk: ReadonlyMap<string, BulkValue> = new Map()) {
  const [composed] = composeObjects(Buffer.from(JSON.stringify([{ ...image, ...elements }])), bulk, max)
  if (!composed) throw new Error('Nothing was composed.')
  return composed
}
/** The file of an object without values of its own parts. */
function write(elements: Readonly<Record<string, unknown>>): Buffer {
  const composed = compose(elements)
  if ('problem' in composed) throw new Error(composed.problem)
  return Buffer.concat(composed.map((piece) => (piece instanceof Uint8Array ? piece : Buffer.alloc(0))))
}
const readBack = async (elements: Readonly<Record<string, unknown>>) =>
  (await readInstanceBytes(write(elements))).header
const problemOf = (...given: Parameters<typeof compose>): string | undefined => {
  const composed = compose(...given)
  return 'problem' in composed ? composed.problem : undefined
}

describe('the file of an object that is described', () => {
  it.each<[string, string, unknown]>([
    ['a tag that is none', '00209165', { vr: 'AT', Value: ['nonsense'] }],
    ['a tag with more behind it', '00209165', { vr: 'AT', Value: ['0020901300'] }],
    ['a tag as a number', '00209165', { vr: 'AT', Value: [2097171] }],
    ['half a whole number', '00280010', { vr: 'US', Value: [1.5] }],
    ['a whole number that is too large', '00280010', { vr: 'US', Value: [65_536] }],
    ['a whole number as a text', '00186020', { vr: 'SL', Value: ['1'] }],
    ['nothing where a number belongs', '00280010', { vr: 'US', Value: [null] }],
    ['a real number as a text', '00189073', { vr: 'FD', Value: ['1.5'] }],
    ['half of a very long number', '00720082', { vr: 'SV', Value: ['1.5'] }],
    ['a name that is a text', '00100010', { vr: 'PN', Value: ['Tester^Tilda'] }],
    ['a text that is a name', '00100020', { vr: 'LO', Value: [{ Alphabetic: 'x' }] }],
    ['an item that is none', '00081140', { vr: 'SQ', Value: ['x'] }],
    ['an empty item', '00081140', { vr: 'SQ', Value: [null] }],
    ['no attribute', '00100020', null],
    ['an attribute without a kind', '00100020', { Value: ['x'] }],
    ['a keyword instead of a tag', 'PatientID', { vr: 'LO', Value: ['x'] }],
    ['a tag in small letters', '0010002a', { vr: 'LO', Value: ['x'] }],
  ])('is not made of %s', (_what, key, element) => {
    expect(problemOf({ [key]: element })).toMatch(/is not of the DICOM JSON model/)
  })

  it('has each value as it was said', async () => {
    const elements = {
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'A^B', Phonetic: 'c' }] },
      '00100020': { vr: 'LO', Value: ['one', null, 'three'] },
      '00280010': { vr: 'US', Value: [0, 65_535] },
      '00186020': { vr: 'SL', Value: [-2_147_483_648] },
      '00189073': { vr: 'FD', Value: [1.5] },
      '00209165': { vr: 'AT', Value: ['00209013', '7fe00010'] },
      '00101020': { vr: 'DS', Value: [1 / 3, 1.5, 123456789012345680000] },
      '00200013': { vr: 'IS', Value: [7] },
    }
    const header = await readBack(elements)
    expect(header['00100010']?.Value).toEqual([{ Alphabetic: 'A^B', Phonetic: 'c' }])
    expect(header['00209165']?.Value).toEqual(['00209013', '7FE00010'])
    expect(header['00101020']?.Value).toEqual([0.33333333333333, 1.5, 123456789010000000000])
    expect(header['00200013']?.Value).toEqual([7])
    for (const key of ['00100020', '00280010', '00186020', '00189073'] as const)
      expect([key, header[key]?.Value]).toEqual([key, elements[key].Value])
  })

  it('has nothing that is made anew with each file: its meta information, lengths of groups, character sets', async () => {
    const bytes = write({
      '00020010': { vr: 'UI', Value: ['1.2.840.10008.1.2.2'] },
      '00100000': { vr: 'UL', Value: [4711] },
      '00080005': { vr: 'CS', Value: ['ISO_IR 100'] },
      '00100020': { vr: 'LO', Value: ['Größe'] },
      '00081140': { vr: 'SQ', Value: [{ '00080005': { vr: 'CS', Value: ['ISO_IR 101'] } }] },
    })
    const { header, part10 } = await readInstanceBytes(bytes)
    expect([part10.transferSyntax.uid, header['00100020']?.Value]).toEqual(['1.2.840.10008.1.2.1', ['Größe']])
    expect(bytes.includes(Buffer.from('UL\x04\0\x67\x12\0\0', 'latin1'))).toBe(false)
    expect([bytes.includes('ISO_IR 100'), bytes.includes('ISO_IR 101'), header['00100000']]).toEqual([
      false,
      false,
      undefined,
    ])
  })

  it('has values of as many bytes as their kind may have', async () => {
    const name = (letters: number) => ({ '00104000': { vr: 'LT', Value: ['x'.repeat(letters)] } })
    expect(problemOf(name(0xfffe))).toBeUndefined()
    expect(problemOf(name(0xffff))).toMatch(/value of 00104000/)
    const bulk = (length: number) => new Map([['a', { length, transferSyntaxUID: undefined }]])
    const named = (vr: string) => ({ '00104000': { vr, BulkDataURI: 'a' } })
    expect(problemOf(named('LT'), bulk(0xfffe))).toBeUndefined()
    expect(problemOf(named('LT'), bulk(0xffff))).toMatch(/value of 00104000/)
    expect(problemOf(named('UT'), bulk(0xffff))).toBeUndefined()
  })

  it('has compressed pixels of its own, in a transfer syntax that is compressed', () => {
    const bulk = (transferSyntaxUID: string) => new Map([['a', { length: 4, transferSyntaxUID }]])
    const pixels = { '7FE00010': { vr: 'OB', BulkDataURI: 'a' } }
    const jpeg = '1.2.840.10008.1.2.4.50'
    expect(problemOf(pixels, bulk(jpeg))).toBeUndefined()
    for (const [elements, syntax] of [
      [pixels, '1.2.840.10008.1.2.1'],
      [pixels, '1.2.3'],
      [{ '00282000': { vr: 'OB', BulkDataURI: 'a' } }, jpeg],
      [{ '00880200': { vr: 'SQ', Value: [pixels] } }, jpeg],
    ] as const)
      expect(problemOf(elements, bulk(syntax))).toMatch(/compressed in a way that is not supported/)
  })

  it('has sequences as deep, and attributes as many, as an object may have [P12]', () => {
    const nested = (depth: number): Record<string, unknown> =>
      depth === 0 ? {} : { '00081140': { vr: 'SQ', Value: [nested(depth - 1)] } }
    expect(problemOf(nested(dicomLimits.depth))).toBeUndefined()
    expect(problemOf(nested(dicomLimits.depth + 1))).toBe('Sequences are nested too deeply.')
    const attributes = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [(0x10090001 + at * 2).toString(16).toUpperCase(), { vr: 'LO' }]),
      )
    // Character set and sequence are two of them.
    const left = dicomLimits.elements - Object.keys(image).length - 2
    const many = (count: number) => {
      const items = Array.from({ length: Math.floor(count / 1000) }, () => attributes(1000))
      return { '00081140': { vr: 'SQ', Value: [...items, attributes(count % 1000)] } }
    }
    expect(problemOf(many(left))).toBeUndefined()
    expect(problemOf(many(left + 1))).toBe('An object has at most 250000 attributes.')
  })
})

it('objects may be as long together as what was sent for them, and no longer [P12]', () => {
  const start = part10Start({
    sopClassUID: '1.2.840.10008.5.1.4.1.1.66',
    sopInstanceUID: '1.2.3.4',
    transferSyntaxUID: '1.2.840.10008.1.2.1',
  })
  const both = 2 * (write({}).length - start.length)
  const list = Buffer.from(JSON.stringify([image, image]))
  const compose = (bytes: number) => composeObjects(list, new Map(), { objects: 2, bytes })
  expect(compose(both)).toHaveLength(2)
  expect(() => compose(both - 1)).toThrow(/would have more than/)
})

it.each([0, null, [[]], 'x'])('nothing is made of %j in place of an object', (dataset) => {
  const [composed] = composeObjects(Buffer.from(JSON.stringify([dataset])), new Map(), max)
  expect(composed).toEqual({ problem: expect.stringMatching(/value of an object that is not of the DICOM JSON model/) })
})
