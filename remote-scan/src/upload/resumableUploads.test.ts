import { fingerprint, resumableUploads } from './resumableUploads.ts'

afterEach(() => sessionStorage.clear())

it('keeps the upload URL of a file by its fingerprint until that is forgotten, and leaves the others alone [P28]', () => {
  resumableUploads.keep('one', '/api/Scan/uploads/1')
  resumableUploads.keep('two', '/api/Scan/uploads/2')
  resumableUploads.forget('one')
  resumableUploads.forget('three')
  expect([resumableUploads.find('one'), resumableUploads.find('two'), resumableUploads.find('three')]).toEqual([
    undefined,
    '/api/Scan/uploads/2',
    undefined,
  ])
})

it('recognizes a file by 64 KB at each end, whose middle may be gigabytes', async () => {
  const fingerprinted = async (at: number) => {
    const bytes = new Uint8Array(300_000)
    bytes[at] = 1
    // jsdom's own Blob cannot be read; the platform's comes out of a response.
    return fingerprint('north', await new Response(bytes).blob())
  }
  const [middle, early, late, first, last] = await Promise.all(
    [150_000, 65_536, 234_463, 65_535, 234_464].map(fingerprinted),
  )
  expect([early === middle, late === middle, first === middle, last === middle]).toEqual([true, true, false, false])
})

it('keeps nothing of a file without a fingerprint', () => {
  resumableUploads.keep(undefined, '/api/Scan/uploads/1')
  resumableUploads.forget(undefined)
  expect(resumableUploads.find(undefined)).toBeUndefined()
  expect(Object.keys(sessionStorage)).toEqual([])
})
