import { Readable } from 'node:stream'
import { newLink, open, server, startWithSeries } from './downloadInTests.ts'

beforeAll(startWithSeries)
afterAll(() => server.close())

describe('an object that turns out unreadable in the middle of a download', () => {
  it.each([
    ['while it is sent', 0],
    ['while a resumed download skips it', 200],
  ])('ends the download, and nothing else, %s [P17, P20]', async (_when, resumedFrom) => {
    const link = await newLink()
    const headers: Record<string, string> = {}
    if (resumedFrom > 0) {
      const { headers: first } = await server.app.inject({ method: 'HEAD', url: link })
      Object.assign(headers, { range: `bytes=${resumedFrom}-`, 'if-range': String(first.etag) })
    }
    const read = jest.spyOn(server.deps.objects, 'read').mockImplementation(async () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(100)
          throw new Error('The object is damaged.')
        })(),
      ),
    )
    // The line is cut, so that nobody takes the half for the whole.
    await expect(open(link, headers)).rejects.toThrow()
    // It and the three behind it, which are read ahead.
    expect(read).toHaveBeenCalledTimes(4)
    read.mockRestore()
    expect((await server.app.inject({ url: '/healthz' })).statusCode).toBe(200)
    expect((await open(await newLink())).statusCode).toBe(200)
  })
})
