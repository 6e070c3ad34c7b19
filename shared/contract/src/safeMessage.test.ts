import { toErrorName, toSafeMessage } from './safeMessage.ts'

describe('what stays of the message of an error [P84]', () => {
  it.each([
    ["Cannot read properties of undefined (reading 'patientName')", 'Cannot read properties of undefined (reading …)'],
    ['Minified React error #310; visit https://react.dev/errors/310?args[]=Ada', 'Minified React error #310'],
    ['Maximum call stack size exceeded', 'Maximum call stack size exceeded'],
    ["undefined is not an object (evaluating 'row.name')", 'undefined is not an object (… …)'],
    ['Ms Ada Berg is not iterable', '… is not iterable'],
    ['BERG^ADA, born 1934-05-06, 1.2.840.113619.2, ada.berg@clinic.example', '…'],
    ['no study 7 of "Ada Berg" at https://dmp.example/scan?patient=Ada', 'no … of … at …'],
    ['is 王小明 a function', 'is … a function'],
    ['the Is of Data', 'the … of …'],
    ['', '…'],
  ])('%s', (message, safe) => {
    expect(toSafeMessage(message)).toBe(safe)
    expect(toSafeMessage(safe)).toBe(safe)
  })

  it('has a length', () => expect(toSafeMessage('is x '.repeat(1000)).length).toBeLessThanOrEqual(200))

  it.each([
    ['TypeError', 'TypeError'],
    ['NotFoundError', 'NotFoundError'],
    ['Ada Berg', 'Error'],
    ['', 'Error'],
  ])('and of its name: %s', (name, kind) => expect(toErrorName(name)).toBe(kind))
})
