import { keepChecking, toSentence, withoutUnused } from './watchTypes.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('types of what is edited', () => {
  it('are looked at again when they were mended in the moment in which a look ended', async () => {
    const ends: ((problems: readonly string[]) => void)[] = []
    const told: (readonly string[])[] = []
    const note = keepChecking(
      ['remote-scan'],
      (problems) => told.push(problems),
      () => new Promise((resolve) => ends.push(resolve)),
    )
    const wrong = "remote-scan/src/App.tsx(1,2): error TS1005: '>' expected."
    note('remote-scan')
    while (ends.length < 1) await pause(5)
    ends[0]?.([wrong])
    await pause(5)
    expect(told).toHaveLength(1)

    note('remote-scan')
    while (ends.length < 2) await pause(5)
    note('remote-scan')
    ends[1]?.([wrong])
    while (ends.length < 3) await pause(5)
    ends[2]?.([])
    await pause(5)
    expect(told.at(-1)).toEqual([])
  })
})

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

it('what is only not used yet is left out of what is wrong', () => {
  const unused = "./remote-scan/src/App.tsx 1:9\nerror TS6133: 'useState' is declared but never read."
  const wrong = "./remote-scan/src/App.tsx 12:5\nerror TS2322: Type 'a' is not 'TS6133'."
  expect(withoutUnused([unused, wrong])).toEqual([wrong])
})
