import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { readMultipart } from './multipartReader.ts'

const boundary = 'parts'
const parts = 2000

/** A body of small parts, and how many of them were taken from it. */
function aBody() {
  let taken = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    for (; taken < parts; taken += 1)
      yield Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n${'x'.repeat(10_000)}\r\n`)
    yield Buffer.from(`--${boundary}--\r\n`)
  }
  return { body: Readable.from(pieces(), { objectMode: false }), taken: () => taken }
}

/** Until nothing more is taken. */
async function settled(taken: () => number): Promise<number> {
  for (let [previous, quiet] = [-1, 0]; quiet < 100; quiet = taken() === previous ? quiet + 1 : 0) {
    previous = taken()
    await turn()
  }
  return taken()
}

it('leaves a body of many small parts with its sender while those before are worked on [P18]', async () => {
  const { body, taken } = aBody()
  const gate = Promise.withResolvers<void>()
  let read = 0
  const reading = readMultipart(body, boundary, async (content) => {
    await gate.promise
    for await (const piece of content) read += (piece as Buffer).length
  })
  expect(await settled(taken)).toBeLessThan(parts / 10)
  gate.resolve()
  await reading
  expect([taken(), read]).toEqual([parts, parts * 10_000])
})

it('ends a body that breaks off while it waits, and every part of it [P20]', async () => {
  const { body, taken } = aBody()
  const gate = Promise.withResolvers<void>()
  let open = 0
  const reading = readMultipart(body, boundary, async (content) => {
    open += 1
    await gate.promise
    try {
      for await (const piece of content) void piece
    } finally {
      open -= 1
    }
  })
  await settled(taken)
  body.destroy()
  gate.resolve()
  await expect(reading).rejects.toThrow('ends too early')
  expect(open).toBe(0)
})

it('waits for no sender who left before the body was looked at [P12, P20]', async () => {
  const body = new PassThrough()
  body.destroy()
  await once(body, 'close')
  await expect(readMultipart(body, boundary, async () => undefined)).rejects.toThrow('ends too early')
})
