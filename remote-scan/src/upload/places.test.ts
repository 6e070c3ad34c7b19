import { markOf, places } from './places.ts'

afterEach(() => sessionStorage.clear())

it('keeps where a file lies by its mark until that is forgotten, and leaves the others alone [P28]', () => {
  places.keep('one', '/api/Scan/uploads/1')
  places.keep('two', '/api/Scan/uploads/2')
  places.forget('one')
  places.forget('three')
  expect([places.of('one'), places.of('two'), places.of('three')]).toEqual([
    undefined,
    '/api/Scan/uploads/2',
    undefined,
  ])
})

it('knows a file again by 64 KB at each end, whose middle may be gigabytes', async () => {
  const marked = async (at: number) => {
    const bytes = new Uint8Array(300_000)
    bytes[at] = 1
    // jsdom's own Blob cannot be read; the platform's comes out of a response.
    return markOf('north', await new Response(bytes).blob())
  }
  const [middle, early, late, first, last] = await Promise.all([150_000, 65_536, 234_463, 65_535, 234_464].map(marked))
  expect([early === middle, late === middle, first === middle, last === middle]).toEqual([true, true, false, false])
})

it('keeps nothing of a file without a mark', () => {
  places.keep(undefined, '/api/Scan/uploads/1')
  places.forget(undefined)
  expect(places.of(undefined)).toBeUndefined()
  expect(Object.keys(sessionStorage)).toEqual([])
})
