import { toSentence } from './watchTypes.ts'

describe('what the compiler says of types', () => {
  it('begins with the place, as an error of the build does', () => {
    expect(toSentence("remote-scan/src/App.tsx(12,5): error TS2322: Type 'a(1): b' is not 'c'.")).toBe(
      "./remote-scan/src/App.tsx 12:5\nerror TS2322: Type 'a(1): b' is not 'c'.",
    )
  })

  it('is passed on as it is where it names no place', () => {
    expect(toSentence('error TS18003: No inputs were found.')).toBe('error TS18003: No inputs were found.')
  })
})
