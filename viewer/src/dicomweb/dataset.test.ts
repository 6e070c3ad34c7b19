import { tag } from '@dmp/dicom'
import { number, numbers, personName, text } from './dataset.ts'

const of = (key: string, ...Value: unknown[]) => ({ [key]: { Value } })

describe('reading DICOM JSON', () => {
  it('shows the family name first [7.42]', () => {
    expect(personName(of(tag.PatientName, { Alphabetic: 'DOE^JANE^ANN' }), tag.PatientName)).toBe('DOE, JANE ANN')
    expect(personName(of(tag.PatientName, 'ROE^RICHARD'), tag.PatientName)).toBe('ROE, RICHARD')
    expect(personName(of(tag.PatientName, { Ideographic: '山田^太郎' }), tag.PatientName)).toBe('山田, 太郎')
    const latin = { Alphabetic: ' ', Ideographic: '', Phonetic: 'やまだ^たろう' }
    expect(personName(of(tag.PatientName, latin), tag.PatientName)).toBe('やまだ, たろう')
  })

  it('shows prefix and suffix where the lists show them [7.42]', () => {
    const names = ['Müller^Jörg^^Dr.', 'King^Martin^Luther^^Jr.', 'King^Martin^^Dr.^Jr.=King^Martin']
    expect(names.map((Alphabetic) => personName(of(tag.PatientName, { Alphabetic }), tag.PatientName))).toEqual([
      'Müller, Dr. Jörg',
      'King, Martin Luther, Jr.',
      'King, Dr. Martin, Jr.',
    ])
  })

  it.each([[[]], [[null]], [[{}]], [['^^']], [[7]]])('has no name for %j [7.42]', (value) => {
    expect(personName({ [tag.PatientName]: { Value: value } }, tag.PatientName)).toBeUndefined()
  })

  it('reads numbers that are sent as text, and drops what is none [7.42]', () => {
    expect(numbers(of(tag.ImagePositionPatient, '1.5', 2, null, 'x'), tag.ImagePositionPatient)).toEqual([1.5, 2])
    expect(number({}, tag.Rows)).toBeUndefined()
  })

  it('trims texts [7.42]', () => {
    expect(text(of(tag.Modality, ' CT '), tag.Modality)).toBe('CT')
    expect(text(of(tag.Modality, '  '), tag.Modality)).toBeUndefined()
    expect(text(of(tag.PatientID, 0), tag.PatientID)).toBe('0')
  })
})
