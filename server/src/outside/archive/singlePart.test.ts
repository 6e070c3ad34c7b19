import { buffer } from 'node:stream/consumers'
import { parseBoundary, singlePart } from './singlePart.ts'

const head = '--x-y\r\nContent-Type: application/dicom\r\n\r\n'
const content = Buffer.from(Array.from({ length: 100 }, (_, index) => `${index} --x-y `).join(''))
async function* inPieces(whole: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}
const partOf = (whole: Buffer, size = whole.length): Promise<Buffer> => buffer(singlePart(inPieces(whole, size), 'x-y'))
const answer = (part: Buffer, end = '\r\n--x-y--\r\n', start = head): Buffer =>
  Buffer.concat([Buffer.from(start), part, Buffer.from(end)])

describe('the one part of an answer', () => {
  it.each([1, 2, 7, 64, 4000])('is whole however the line cuts it: pieces of %d bytes', async (size) => {
    for (const part of [content, Buffer.from('\r\n'), Buffer.alloc(0)])
      expect((await partOf(answer(part), size)).equals(part)).toBe(true)
  })

  it('ends at its boundary, whatever blank lines follow', async () => {
    for (const end of ['\r\n--x-y--', '\r\n--x-y--\r\n\r\n', '\r\n--x-y--\r\n\r\n\r\n'])
      for (const size of [1, 4000])
        expect([end, (await partOf(answer(content, end), size)).equals(content)]).toEqual([end, true])
  })

  it('may be large, and has short headers', async () => {
    const large = Buffer.alloc(100_000, 7)
    expect((await partOf(answer(large))).equals(large)).toBe(true)
    const long = (bytes: number) => `--x-y\r\nX: ${'x'.repeat(bytes)}`
    expect((await partOf(answer(content, undefined, `${long(10_000)}\r\n\r\n`), 1000)).equals(content)).toBe(true)
    // Headers of just so many bytes, and what ends them comes with the next piece.
    const most = long(2 ** 14 - long(0).length)
    expect((await partOf(answer(content, undefined, `${most}\r\n\r\n`), most.length)).equals(content)).toBe(true)
    await expect(partOf(answer(content, undefined, `${long(20_000)}\r\n\r\n`), 1000)).rejects.toMatchObject({
      fault: 'UNAVAILABLE',
    })
  })

  it('is none without its end', async () => {
    for (const cut of [1, 10, content.length, content.length + 30])
      await expect(partOf(answer(content).subarray(0, -10 - cut))).rejects.toMatchObject({ fault: 'UNAVAILABLE' })
  })
})

it('its boundary stands in the type of the answer, with or without quotes', () => {
  expect(
    [
      'multipart/related; type="application/dicom"; boundary=x-y',
      'Multipart/Related; boundary="x y"; a=b',
      'application/dicom',
      'multipart/form-data; boundary=x',
    ].map(parseBoundary),
  ).toEqual(['x-y', 'x y', undefined, undefined])
})
