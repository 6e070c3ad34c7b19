import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { readingLimits } from '../../dicom/limits.ts'
import { attackAddress, largeImage, manyItems, manyTexts } from '../../testing/attackObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
let admin: SignedIn
let south: SignedIn
let origin: string

const megabyte = 2 ** 20
const manyTextsCount = 8000
const opened: IncomingMessage[] = []

beforeAll(async () => {
  server = await startServer({ DMP_READ_MEMORY_MB: '64', DMP_READ_MEMORY_PERSON_MB: '32' })
  ;[staff, admin, south] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin'),
    server.signIn('admin@south.example'),
  ])
  origin = await server.listen()
  expect((await stow(server, staff, [manyTexts('1.70', manyTextsCount)])).statusCode).toBe(200)
  expect((await stow(server, staff, [largeImage('1.71', 4000, 3000)])).statusCode).toBe(200)
  expect((await stow(server, south, [manyItems('1.72', 10)])).statusCode).toBe(200)
})
afterEach(async () => {
  for (const response of opened.splice(0)) response.destroy()
  while (server.deps.memory.bytes > 0) await new Promise((again) => setTimeout(again, 5))
})
afterAll(() => server.close())

const inject = (url: string, who: SignedIn) => server.app.inject({ url, headers: who.headers })

/** Its receiver takes nothing until it is read. */
async function open(url: string, who: SignedIn): Promise<IncomingMessage> {
  const headers = { ...who.headers, accept: '*/*' }
  const request = httpGet(`${origin}${url}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  opened.push(response)
  return response
}

type Metadata = Record<string, { Value?: unknown[] } | undefined>[]
const expectAllTexts = (body: string): void => {
  const [header] = JSON.parse(body) as Metadata
  const texts = Object.entries(header ?? {}).filter(([key]) => key.startsWith('0031'))
  expect(texts).toHaveLength(manyTextsCount)
  expect(new Set(texts.map(([, element]) => element?.Value?.[0]))).toEqual(new Set(['"'.repeat(998)]))
}

describe('a header that is far longer as text than when it arrived', () => {
  it('is sent whole, and reserved whole before it is made [P18]', async () => {
    const run = jest.spyOn(server.deps.reader, 'run')
    const response = await open(`${attackAddress('1.70')}/metadata`, staff)
    // Thumbnails of the upload may be drawn meanwhile.
    const results = run.mock.results.filter((_result, call) => run.mock.calls[call]?.[0] === 'metadata')
    const texts = await Promise.all(
      results.map(async ({ value }) => ((await value) as { text: Uint8Array }).text.length),
    )
    run.mockRestore()
    // The first attempt tells the length only.
    expect([texts.length, texts[0]]).toEqual([2, 0])
    expect(texts[1]).toBeGreaterThan(2 * readingLimits.headersBytes - megabyte)
    expect(server.deps.memory.bytes).toBe((texts[1] ?? 0) + readingLimits.headerPageBytes)
    expectAllTexts(await text(response))
  })

  it('does not take more than one person may have, however many responses nobody reads [P18]', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => open(`${attackAddress('1.70')}/metadata`, staff)),
    )
    expect(server.deps.memory.bytes).toBeLessThanOrEqual(32 * megabyte)
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await inject(`${attackAddress('1.72')}/metadata`, south)).statusCode).toBe(200)
  })

  it('is found by a search that includes all of it, in the same bounds [P18]', async () => {
    const included = Array.from({ length: 60 }, (_, index) => (0x00311000 + index).toString(16).padStart(8, '0'))
    const reply = await inject(`/dicom-web/studies?StudyInstanceUID=1.70.1&includefield=${included.join(',')}`, staff)
    expect(reply.statusCode).toBe(200)
    expect(reply.json<Metadata>()[0]?.['00311000']?.Value).toEqual(['"'.repeat(998)])
  })
})

describe('one organization', () => {
  it('leaves half of the memory to the others, however many of its people read nothing [P18, P19]', async () => {
    const hold = (who: SignedIn) =>
      Promise.all(Array.from({ length: 16 }, () => open(`${attackAddress('1.71')}/frames/1`, who)))
    expect((await hold(staff)).map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    const colleagues = (await hold(admin)).map(({ statusCode }) => statusCode)
    expect(colleagues.filter((status) => status === 200)).toHaveLength(1)
    expect(server.deps.memory.bytes).toBe(17 * readingLimits.streamBytes)
    const others = await Promise.all([
      inject(`${attackAddress('1.72')}/metadata`, south),
      inject('/dicom-web/studies?includefield=00081140', south),
    ])
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})
