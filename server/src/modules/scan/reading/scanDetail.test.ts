import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { listTags } from '../../../dicom/tagList.ts'
import { computeBodyMassIndex, formatPatientAge } from './scanDetail.ts'

describe('the age of a patient [3.13]', () => {
  const header = (birth: string, acquired: string, statedValue?: string): JsonDataset => ({
    '00100030': { vr: 'DA', Value: [birth] },
    '00080022': { vr: 'DA', Value: [acquired] },
    ...(statedValue !== undefined && { '00101010': { vr: 'AS', Value: [statedValue] } }),
  })

  it.each([
    ['as it is stated', '19700102', '20240506', '045Y', '45 years'],
    ['as it is stated, of one', '19700102', '20240506', '001W', '1 week'],
    ['on the birthday', '19700506', '20240506', undefined, '54 years'],
    ['on the day before', '19700507', '20240506', undefined, '53 years'],
    ['in the month before', '19700601', '20240506', undefined, '53 years'],
    ['in the month after', '19700430', '20240506', undefined, '54 years'],
    ['of two years', '20220506', '20240506', undefined, '2 years'],
    ['of less than two years, in months', '20230301', '20240506', undefined, '14 months'],
    ['of one born on this day', '20240506', '20240506', undefined, '0 months'],
    ['of a new-born', '20240501', '20240506', undefined, '0 months'],
    ['of somebody who is not born yet', '20240507', '20240506', undefined, null],
  ])('is counted to the day of the scan: %s', (_what, birth, acquired, statedValue, expected) => {
    expect(formatPatientAge(header(birth, acquired, statedValue))).toBe(expected)
  })
})

const values = (elements: Readonly<Record<string, string | number>>): JsonDataset =>
  Object.fromEntries(Object.entries(elements).map(([tag, value]) => [tag, { vr: 'LO', Value: [value] }]))

describe('the body mass index', () => {
  it.each([
    [80, 1.8, 24.7],
    [3, 0.2, 75],
    [3, 0.19, null],
    [100, 2.8, 12.8],
    [100, 2.81, null],
    [80, 180, null],
    [0, 1.8, null],
  ])('of %d kg and %d m is %s: impossible sizes have none [3.13]', (weight, height, index) => {
    expect(computeBodyMassIndex(values({ '00101030': weight, '00101020': height }))).toBe(index)
  })

  it('is what the object says, when it does [3.13]', () => {
    expect(computeBodyMassIndex(values({ '00101022': 31.26, '00101030': 80, '00101020': 1.8 }))).toBe(31.3)
  })

  it.each([0, -1])('is counted where the object says %d, which nobody has [3.13]', (statedValue) => {
    expect(computeBodyMassIndex(values({ '00101022': statedValue, '00101030': 80, '00101020': 1.8 }))).toBe(24.7)
  })
})

describe('the list of all tags', () => {
  it('ends after so much text, and says so [3.13, P18]', () => {
    const element = { vr: 'LT', Value: ['"'.repeat(998)] }
    const header = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [String(31_000_000 + index), element]))
    const rows = listTags(header)
    expect(JSON.stringify(rows).length).toBeLessThan(2.1 * 2 ** 20)
    expect([rows.length > 1000, rows.at(-1)?.key]).toEqual([true, 'More tags'])
  })

  const formatted = (element: JsonDataset[string]) => listTags({ '00091010': element })[0]?.value

  it('shows values of a thousand and twenty-four characters whole, and the beginning of longer ones [3.13]', () => {
    expect(formatted({ vr: 'LT', Value: ['x'.repeat(1024)] })).toBe('x'.repeat(1024))
    expect(formatted({ vr: 'LT', Value: ['x'.repeat(1025)] })).toBe(`${'x'.repeat(1024)}…`)
  })

  it('shows words that a binary value holds, and of others their size [3.13]', () => {
    const binary = (bytes: Buffer) => formatted({ vr: 'UN', InlineBinary: bytes.toString('base64') })
    expect(binary(Buffer.from('SIEMENS \0'))).toBe('SIEMENS')
    expect([
      binary(Buffer.alloc(512, 'x'))?.length,
      binary(Buffer.alloc(513, 'x')),
      binary(Buffer.from([1, 2, 3])),
    ]).toEqual([512, '(binary, 513 bytes)', '(binary, 3 bytes)'])
  })

  it('counts the items of a sequence [3.13]', () => {
    const items = (count: number) => formatted({ vr: 'SQ', Value: Array.from({ length: count }, () => ({})) })
    expect([items(1), items(2)]).toEqual(['1 item', '2 items'])
  })

  it('calls what a maker of devices reserves a private creator, and what is in it private [3.13]', () => {
    const keys = ['00090010', '000900FF', '0009000F', '00091010', '00100010'].map((tag) =>
      listTags({ [tag]: { vr: 'LO', Value: ['x'] } })[0]?.key.slice(12),
    )
    expect(keys).toEqual(['PrivateCreator', 'PrivateCreator', 'Private', 'Private', 'PatientName'])
  })
})
