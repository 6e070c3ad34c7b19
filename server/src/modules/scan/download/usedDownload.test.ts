import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text, u16 } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import { mostRests } from './downloadLink.repository.ts'
import { server, admin, organizationId, startWithSeries, newLink, open } from './downloadInTests.ts'

let address: string
beforeAll(async () => {
  await startWithSeries()
  // More than the machine takes ahead of a reader.
  const pixels = {
    '00280010': u16(2048),
    '00280011': u16(2048),
    '7FE00010': { vr: 'OW', value: Buffer.alloc(2 ** 23) },
  }
  for (const instance of ['1', '2', '3']) {
    const uids = { '00080018': text('UI', `1.9.9.${instance}`), '0020000E': text('UI', '1.9.9') }
    const elements = slice({ ...pixels, ...uids, '0020000D': text('UI', '1.9'), '00200013': text('IS', instance) })
    expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
  }
  address = await server.listen()
})
afterAll(() => server.close())

const ask = async (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
  const [reply] = (await once(get(`${address}${path}`, { headers, agent: false }), 'response')) as [IncomingMessage]
  return reply
}
const readAll = async (reply: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const countOpen = async () =>
  (
    await server.deps.db
      .selectFrom('scan_downloads')
      .select('token_hash')
      .where('used_date', 'is not', null)
      .where('ended_date', 'is', null)
      .execute()
  ).length
/** The server notes the end beside the answer. */
const ended = async () => {
  for (let looks = 0; looks < 100 && (await countOpen()) > 0; looks += 1)
    await new Promise((again) => setTimeout(again, 20))
  expect(await countOpen()).toBe(0)
}
const uses = async () =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScanDownloaded')
      .where('organization_id', '=', organizationId)
      .orderBy('position')
      .execute()
  ).map(({ subject }) => subject)

describe('what is deleted while it is downloaded [P54]', () => {
  const uids = (series: string, instance: number) => ({
    '00080018': text('UI', `${series}.${instance}`),
    '0020000D': text('UI', '1.10'),
    '0020000E': text('UI', series),
  })
  /** Larger together than what a machine takes ahead of a reader. */
  async function upload(series: string): Promise<void> {
    const pixels = {
      '00280010': u16(2048),
      '00280011': u16(2048),
      '7FE00010': { vr: 'OW', value: Buffer.alloc(2 ** 23) },
    }
    for (const instance of [1, 2, 3, 4])
      expect(
        (await stow(server, admin, [dicomFile({ elements: slice({ ...pixels, ...uids(series, instance) }) })]))
          .statusCode,
      ).toBe(200)
  }
  /** Whether all came, and how much, once the series was deleted behind the first bytes. */
  async function readPastDeletion(path: string, series: string, headers = {}) {
    const reply = await ask(path, headers)
    const [first] = (await once(reply, 'data')) as [Buffer]
    reply.pause()
    const removed = await admin.call(scan.remove, { organizationId, seriesIdList: [series] })
    expect(removed.status).toBe(200)
    let bytes = first.length
    await new Promise((over) => {
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', () => undefined)
      reply.on('close', over).resume()
    })
    return { isWhole: reply.complete, bytes }
  }

  it('breaks off as a zip', async () => {
    await upload('1.10.1')
    const link = await newLink(admin, { organizationId, seriesUID: '1.10.1' })
    expect(await readPastDeletion(link, '1.10.1')).toMatchObject({ isWhole: false })
  })

  it('is in no further part of a DICOMweb response', async () => {
    await upload('1.10.2')
    const path = '/dicom-web/studies/1.10/series/1.10.2'
    const { bytes } = await readPastDeletion(path, '1.10.2', admin.headers)
    expect(bytes).toBeLessThan(3 * 2 ** 23)
  })
})

describe('a used download address [P24, P25]', () => {
  it('ends when all bytes were sent: also the rest of the zip is not given out again', async () => {
    const link = await newLink()
    const whole = await open(link)
    await ended()
    const etag = String(whole.headers.etag)
    for (const headers of [{}, { range: 'bytes=1-' }, { range: 'bytes=1-', 'if-range': etag }])
      expect((await open(link, headers)).statusCode).toBe(404)
    const over = await open(link, { range: `bytes=${whole.rawPayload.length}-`, 'if-range': etag })
    expect([over.statusCode, over.json<{ message: string }>().message]).toEqual([
      416,
      'The download was already complete.',
    ])
  })

  it('goes on with the same bytes where the line broke, records each use, and then ends', async () => {
    const newLargeLink = () => newLink(admin, { organizationId, seriesUID: '1.9.9' })
    const whole = await readAll(await ask(await newLargeLink()))
    await ended()
    const usesBefore = await uses()
    const link = await newLargeLink()
    const broken = await ask(link)
    const { etag } = broken.headers
    const [chunk] = (await once(broken, 'data')) as [Buffer]
    broken.destroy()
    expect((await ask(link)).statusCode).toBe(404)
    expect((await ask(link, { range: 'bytes=700-', 'if-range': '"another"' })).statusCode).toBe(404)

    const got = chunk.length
    for (const isLast of [false, true]) {
      const rest = await ask(link, { range: `bytes=${got}-`, 'if-range': String(etag) })
      expect([rest.statusCode, rest.headers['content-range'], rest.headers['content-length']]).toEqual([
        206,
        `bytes ${got}-${whole.length - 1}/${whole.length}`,
        String(whole.length - got),
      ])
      if (isLast) expect(Buffer.concat([chunk, await readAll(rest)]).equals(whole)).toBe(true)
      else rest.destroy()
    }
    await ended()
    expect((await ask(link, { range: `bytes=${got}-`, 'if-range': String(etag) })).statusCode).toBe(404)
    const resumed = { seriesUID: '1.9.9', resumedAtByte: got }
    expect((await uses()).slice(usesBefore.length)).toEqual([{ seriesUID: '1.9.9' }, resumed, resumed])
  })

  it('has one stream: a rest ends the one before, and rests are counted until there are too many', async () => {
    const link = await newLink(admin, { organizationId, seriesUID: '1.9.9' })
    const first = await ask(link)
    const headers = { range: 'bytes=1-', 'if-range': String(first.headers.etag) }
    const cut = (reply: IncomingMessage) =>
      new Promise<boolean>((resolve) => {
        reply.on('close', () => resolve(!reply.complete)).on('error', () => undefined)
        reply.resume()
      })
    // Neither has read anything when the next one comes.
    const rest = await ask(link, headers)
    expect(await cut(first)).toBe(true)
    const last = await ask(link, headers)
    expect(await cut(rest)).toBe(true)
    const rows = server.deps.db.selectFrom('scan_downloads').where('ended_date', 'is', null)
    expect(await rows.where('used_date', 'is not', null).select('rests').execute()).toEqual([{ rests: 2 }])
    await server.deps.db
      .updateTable('scan_downloads')
      .set({ rests: mostRests })
      .where('used_date', 'is not', null)
      .execute()
    expect((await ask(link, headers)).statusCode).toBe(404)
    last.destroy()
  })

  it('is no way around the first use', async () => {
    const whole = await open(await newLink())
    const headers = { range: 'bytes=700-', 'if-range': String(whole.headers.etag) }
    expect((await open(await newLink(), headers)).statusCode).toBe(404)
  })
})
