import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { dicomLimits, readingLimits } from '../../dicom/limits.ts'
import { text, type Elements } from '../../dicom/testing/dicomFile.ts'
import { packHeader } from '../../dicom/packedHeader.ts'
import {
  attackAddress,
  deflatedImage,
  largeImage,
  largeValue,
  manyItems,
  manyNames,
} from '../../testing/attackObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
let south: SignedIn
let organizationId: string

beforeAll(async () => {
  server = await startServer({ DMP_READ_MEMORY_MB: '64', DMP_READ_MEMORY_PERSON_MB: '32' })
  ;[staff, south] = await Promise.all([server.signIn('staff'), server.signIn('admin@south.example')])
  const north = server.deps.db.selectFrom('organizations').select('id').where('name', '=', 'North-Clinic')
  organizationId = (await north.executeTakeFirstOrThrow()).id
})

/** Responses that have been received hold nothing any more. */
afterEach(async () => {
  jest.restoreAllMocks()
  while (server.deps.memory.bytes > 0) await new Promise((again) => setTimeout(again, 5))
})
afterAll(() => server.close())

const get = (url: string, accept = 'application/octet-stream', who = staff) =>
  server.app.inject({ url, headers: { ...who.headers, accept } })

/** What was asked of the reading threads, but for the small pictures that are drawn after an upload. */
const asked = (calls: Parameters<typeof server.deps.reader.run>[]): string[] =>
  calls.filter(([, , { turn }]) => turn?.person !== 'after uploads').map(([task]) => task)

/** Sentence of the first refused object. */
const readRefusal = (body: string): unknown =>
  (JSON.parse(body) as Record<string, { Value: Record<string, { Value: unknown[] }>[] }>)['0008119A']?.Value[0]?.[
    '00091003'
  ]?.Value[0]

describe('objects that are cheap to send and dear to read', () => {
  it('are refused by what they cost, and leave nothing [P12]', async () => {
    const refused = async (bytes: Buffer) => {
      const reply = await stow(server, staff, [bytes])
      return [reply.statusCode, readRefusal(reply.body)]
    }
    expect(await refused(manyItems('1.60'))).toEqual([409, `The object has more than ${dicomLimits.items} items.`])
    expect(await refused(deflatedImage('1.61'))).toEqual([409, 'The object is too large when inflated.'])
    expect(await refused(manyNames('1.65', 23 * 2 ** 20))).toEqual([
      409,
      'The header has more values than the server takes into memory.',
    ])
    expect(readdirSync(join(server.deps.settings.dataDir, 'incoming'))).toEqual([])
  })

  it('are never read by the thread that answers, and others are answered meanwhile [P18]', async () => {
    // A parser that is at work here would hold this up: it sees each turn of the loop.
    const run = jest.spyOn(server.deps.reader, 'run')
    const order: string[] = []
    const heavy = stow(server, staff, [manyItems('1.62', dicomLimits.items)]).then(({ statusCode }) => {
      order.push('heavy')
      return statusCode
    })
    await new Promise((begun) => run.mock.calls.length > 0 || setImmediate(begun))
    expect((await get('/dicom-web/studies', '*/*', south)).statusCode).toBe(200)
    order.push('other')
    expect([await heavy, order]).toEqual([200, ['other', 'heavy']])
    expect(run.mock.calls.map(([task]) => task)).toContain('take')
  })

  it('are read in threads whatever is asked of them [P18]', async () => {
    const run = jest.spyOn(server.deps.reader, 'run')
    const tasks = async (ask: () => Promise<{ statusCode: number }>) => {
      run.mockClear()
      const reply = await ask()
      return [reply.statusCode, asked(run.mock.calls)]
    }
    const address = attackAddress('1.62')
    expect(await tasks(() => get(`${address}/metadata`, '*/*'))).toEqual([200, ['metadata']])
    expect(await tasks(() => get('/dicom-web/instances?includefield=00081140', '*/*'))).toEqual([200, ['search']])
    expect(await tasks(() => get(`${address}/bulkdata/0020000D`))).toEqual([200, ['inflate', 'value']])
    expect(await tasks(async () => (await staff.call(scan.get, { organizationId, seriesUID: '1.62.2' })).raw)).toEqual([
      200,
      ['describe'],
    ])
  })

  it('are shown by their first tags, and told to be more [3.13]', async () => {
    const { data } = await staff.call(scan.get, { organizationId, seriesUID: '1.62.2' })
    expect([data.tags.length, data.tags.at(-1)?.key]).toEqual([10_001, 'More tags'])
  })

  it('of an earlier version are still given out', async () => {
    expect((await stow(server, staff, [manyItems('1.63', 10)])).statusCode).toBe(200)
    const items = Array.from({ length: 70_000 }, () => ({}))
    await server.deps.db
      .updateTable('instances')
      .set({ header: packHeader({ '00081140': { vr: 'SQ', Value: items } }) })
      .where('sop_instance_uid', '=', '1.63.3')
      .execute()
    const [header] = (await get(`${attackAddress('1.63')}/metadata`, '*/*')).json<{ '00081140': { Value: [] } }[]>()
    expect(header?.['00081140'].Value).toHaveLength(70_000)
  })
})

describe('objects with long headers', () => {
  it('are read for the detail and the thumbnail once there is memory for their headers [P18]', async () => {
    const texts = Array.from({ length: 6 }, (_, index) => [
      `0031100${index}`,
      text('UT', randomBytes(30_000).toString('hex')),
    ])
    const noise = Object.fromEntries(texts) as Elements
    expect((await stow(server, staff, [largeImage('1.67', 8, 8, 0, noise)])).statusCode).toBe(200)
    const { header } = await server.deps.db
      .selectFrom('instances')
      .select('header')
      .where('sop_instance_uid', '=', '1.67.3')
      .executeTakeFirstOrThrow()
    expect(header.length).toBeGreaterThan(150_000)
    const reserve = jest.spyOn(server.deps.memory, 'reserve')
    const own = { customer: organizationId, person: staff.userId }
    const series = '/dicom-web/studies/1.67.1/series/1.67.2/thumbnail'
    for (const ask of [
      async () => (await staff.call(scan.get, { organizationId, seriesUID: '1.67.2' })).status,
      async () => (await get(series, '*/*')).statusCode,
    ]) {
      reserve.mockClear()
      expect(await ask()).toBe(200)
      // On a slow machine the upload's own thumbnail is drawn meanwhile.
      expect(reserve.mock.calls.filter(([{ person }]) => person !== 'after uploads')).toEqual([
        [own, 3 * header.length],
      ])
    }
    expect(server.deps.memory.bytes).toBe(0)
    // What was drawn once needs no header any more.
    reserve.mockClear()
    expect([(await get(series, '*/*')).statusCode, reserve.mock.calls]).toEqual([200, []])
  })
})

describe('deflated objects', () => {
  it('are inflated once for all who read them at the same time [P18]', async () => {
    expect((await stow(server, staff, [deflatedImage('1.64', 2_000_000)])).statusCode).toBe(200)
    const run = jest.spyOn(server.deps.reader, 'run')
    const replies = await Promise.all([
      ...Array.from({ length: 15 }, () => get(`${attackAddress('1.64')}/bulkdata/00100010`)),
      get(`${attackAddress('1.64')}/frames/1`),
    ])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    expect(replies[0]?.body).toBe('Tester^Tilda')
    expect(replies[15]?.rawPayload.equals(Buffer.alloc(2_000_000))).toBe(true)
    expect(asked(run.mock.calls).filter((task) => task === 'inflate')).toHaveLength(1)
  })
})

describe('large values and frames', () => {
  it('are sent as they are read, a piece at a time [P18]', async () => {
    expect((await stow(server, staff, [largeValue('1.65', 6_000_000)])).statusCode).toBe(200)
    const read = jest.spyOn(server.deps.objects, 'open')
    const lengths: number[] = []
    read.mockImplementation(async (key) => {
      read.mockRestore()
      const object = await server.deps.objects.open(key)
      return { ...object, read: (offset, length) => (lengths.push(length), object.read(offset, length)) }
    })
    const reply = await get(`${attackAddress('1.65')}/bulkdata/00420011`)
    expect([
      reply.statusCode,
      reply.headers['content-length'],
      reply.rawPayload.equals(Buffer.alloc(6_000_000, 0x20)),
    ]).toEqual([200, '6000000', true])
    // The walk reads the header, of which the value is a part, in its thread; the response is read in pieces.
    expect(lengths.filter((length) => length <= 2 ** 20).length).toBeGreaterThan(4)
  })

  it('are refused beyond the memory of one person, and given out again when that is free [P18, P19]', async () => {
    expect((await stow(server, staff, [largeImage('1.66', 4000, 3000)])).statusCode).toBe(200)
    const address = `${await server.listen()}${attackAddress('1.66')}/frames/1`
    const open = async (): Promise<IncomingMessage> => {
      const request = httpGet(address, {
        headers: { ...staff.headers, accept: 'application/octet-stream' },
        agent: false,
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return response
    }
    // Readers that take nothing hold what they have reserved.
    const slow = await Promise.all(Array.from({ length: 16 }, open))
    expect(slow.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    expect(server.deps.memory.bytes).toBe(16 * readingLimits.streamBytes)
    const refused = await get(`${attackAddress('1.66')}/frames/1`)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ message: string }>().message]).toEqual([
      503,
      '2',
      'You are already receiving as much as the server sends to one person at a time. Please try again in a moment.',
    ])
    expect((await get('/dicom-web/studies', '*/*', south)).statusCode).toBe(200)
    for (const response of slow) response.destroy()
    while (server.deps.memory.bytes > 0) await new Promise((again) => setTimeout(again, 5))
    expect((await get(`${attackAddress('1.66')}/frames/1`)).rawPayload).toHaveLength(24_000_000)
  })
})
