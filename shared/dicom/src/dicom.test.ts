import {
  firstValue,
  formatTag,
  fromParserKey,
  fromTagNumber,
  hasLongLength,
  hasShortLength,
  isPrivateTag,
  isUid,
} from './index.ts'
import { isValueRepresentation, listItems, tag, toParserKey, toTagNumber } from './index.ts'

describe('tags', () => {
  it('are eight upper-case hexadecimal digits, each once', () => {
    const tags: readonly string[] = Object.values(tag)
    expect(tags.filter((value) => !/^[0-9A-F]{8}$/.test(value))).toEqual([])
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('are written as other libraries need them, and back', () => {
    expect(toParserKey(tag.SeriesDescription)).toBe('x0008103e')
    expect(fromParserKey('x0008103e')).toBe(tag.SeriesDescription)
    expect(toTagNumber(tag.SeriesDescription)).toBe(0x0008103e)
    expect(fromTagNumber(0x0008103e)).toBe(tag.SeriesDescription)
    expect(toTagNumber(tag.SequenceDelimitationItem)).toBe(0xfffee0dd)
    expect(formatTag(tag.PatientID)).toBe('(0010,0020)')
  })

  it('of odd groups are private', () => {
    expect(isPrivateTag('00091001')).toBe(true)
    expect(isPrivateTag(tag.PatientID)).toBe(false)
  })
})

describe('value representations', () => {
  it('have a short length or a long one, never both', () => {
    expect(['OB', 'SQ', 'UN', 'UT', 'OV', 'UC'].every(hasLongLength)).toBe(true)
    expect(['PN', 'UI', 'US', 'AT'].every(hasShortLength)).toBe(true)
    expect(['OB', 'PN'].map((vr) => hasLongLength(vr) === hasShortLength(vr))).toEqual([false, false])
  })

  it('are those of the standard', () => {
    expect(['PN', 'OB', 'XX', 'pn', ''].map(isValueRepresentation)).toEqual([true, true, false, false, false])
  })
})

describe('UIDs', () => {
  it.each(['1.2', '1.2.840.10008.1.2', '1.02.3', `1.${'2'.repeat(62)}`])('%s is one', (uid) =>
    expect(isUid(uid)).toBe(true),
  )
  it.each(['', '1', '1.', '.1', '1..2', '1.2a', '1.2 ', '1.2\n', `1.${'2'.repeat(63)}`])('%j is none', (uid) =>
    expect(isUid(uid)).toBe(false),
  )
})

describe('the JSON model', () => {
  it('has first values and items, and none where an element is missing', () => {
    const dataset = { '00080060': { Value: ['CT', 'MR'] }, '00081199': { Value: [{}, null, 'x'] } }
    expect(firstValue(dataset, tag.Modality)).toBe('CT')
    expect(firstValue(dataset, tag.PatientID)).toBeUndefined()
    expect(listItems(dataset, tag.ReferencedSOPSequence)).toEqual([{}])
    expect(listItems(dataset, tag.FailedSOPSequence)).toEqual([])
  })
})
