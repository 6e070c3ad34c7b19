import { date, number, numbers, personName, tag, text } from './dataset.ts'

const of = (key: string, ...Value: unknown[]) => ({ [key]: { Value } })

describe('reading DICOM JSON', () => {
  it('shows the family name first [7.42]', () => {
    expect(personName(of(tag.patientName, { Alphabetic: 'DOE^JANE^ANN^DR' }), tag.patientName)).toBe('DOE, JANE ANN')
    expect(personName(of(tag.patientName, 'ROE^RICHARD'), tag.patientName)).toBe('ROE, RICHARD')
    expect(personName(of(tag.patientName, { Ideographic: '山田^太郎' }), tag.patientName)).toBe('山田, 太郎')
  })

  it.each([[[]], [[null]], [[{}]], [['^^']], [[7]]])('has no name for %j [7.42]', (value) => {
    expect(personName({ [tag.patientName]: { Value: value } }, tag.patientName)).toBeUndefined()
  })

  it('reads numbers that are sent as text, and drops what is none [7.42]', () => {
    expect(numbers(of(tag.imagePosition, '1.5', 2, null, 'x'), tag.imagePosition)).toEqual([1.5, 2])
    expect(number({}, tag.rows)).toBeUndefined()
  })

  it('trims texts and formats dates [7.42]', () => {
    expect(text(of(tag.modality, ' CT '), tag.modality)).toBe('CT')
    expect(text(of(tag.modality, '  '), tag.modality)).toBeUndefined()
    expect(date(of(tag.studyDate, '20240926'), tag.studyDate)).toBe('2024-09-26')
    expect(date(of(tag.studyDate, 'about 1990'), tag.studyDate)).toBe('about 1990')
  })
})
