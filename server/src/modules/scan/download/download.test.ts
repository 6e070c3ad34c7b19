import { inflateRawSync } from 'node:zlib'
import { scan } from '@dmp/contract'
import { part10Start } from '../../../dicom/elementWriter.ts'
import { readInstanceBytes } from '../../../dicom/read.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
let organizationId: string
const objects = Array.from({ length: 5 }, (_, index) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.9.1.${index + 1}`),
      '0020000D': text('UI', '1.9'),
      '0020000E': text('UI', '1.9.1'),
      '00200013': text('IS', String(index + 1)),
      '00100010': text('PN', 'Hidden^Name'),
    }),
  }),
)

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  organizationId = (
    await server.deps.db
      .selectFrom('users')
      .select('organization_id')
      .where('id', '=', admin.userId)
      .executeTakeFirstOrThrow()
  ).organization_id
  await stow(server, admin, objects)
})
afterAll(() => server.close())

const series = () => ({ organizationId, seriesUID: '1.9.1' })
const pathOf = (url: string): string => new URL(url).pathname
const newLink = async (who = admin): Promise<string> =>
  pathOf((await who.call(scan.download, series())).data.downloadUrl)
const open = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

/** The entries of a zip, by its central directory. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(bytes.lastIndexOf(Buffer.from('PK\x05\x06')) + 16)
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [method, size, nameLength, extra, comment, offset] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
      bytes.readUInt32LE(at + 42),
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const content = bytes.subarray(start, start + size)
    entries.set(name, method === 0 ? content : inflateRawSync(content))
    at += 46 + nameLength + extra + comment
  }
  return entries
}

describe('download [7.38]', () => {
  it('is a zip of the series as it was uploaded, with a DICOMDIR that finds each object [7.38]', async () => {
    const reply = await open(await newLink())
    expect([reply.statusCode, reply.headers['content-type'], Number(reply.headers['content-length'])]).toEqual([
      200,
      'application/zip',
      reply.rawPayload.length,
    ])
    const entries = unzip(reply.rawPayload)
    expect([...entries.keys()]).toEqual([
      'DICOMDIR',
      'README.TXT',
      ...objects.map((_, index) => `DICOM/D00000/I000000${index}`),
    ])
    // Files that whoever unpacks them may read and write, and nobody may run.
    const records = reply.rawPayload.toString('latin1').split('PK\x01\x02').slice(1)
    expect(new Set(records.map((record) => Buffer.from(record, 'latin1').readUInt32LE(34) >>> 16))).toEqual(
      new Set([0o100644]),
    )
    objects.forEach((bytes, index) => expect(entries.get(`DICOM/D00000/I000000${index}`)?.equals(bytes)).toBe(true))

    const directory = entries.get('DICOMDIR') ?? Buffer.alloc(0)
    await expect(readInstanceBytes(directory)).rejects.toMatchObject({ reason: 'DICOMDIR' })
    const words = directory.toString('latin1')
    expect(['PATIENT', 'STUDY', 'SERIES', 'IMAGE'].every((type) => words.includes(type))).toBe(true)
    expect(words).toContain('DICOM\\D00000\\I0000004')
    // Each record names where the next and the lower one begin: walking them finds all five images.
    const item = Buffer.from([0xfe, 0xff, 0x00, 0xe0])
    const recordAt = (offset: number) => ({
      next: directory.readUInt32LE(offset + 8 + 8),
      lower: directory.readUInt32LE(offset + 8 + 8 + 4 + 10 + 8),
    })
    let at = directory.indexOf(item)
    for (let level = 0; level < 3; level++) at = recordAt(at).lower
    let images = 0
    for (; at !== 0; at = recordAt(at).next) {
      expect(directory.subarray(at, at + 4).equals(item)).toBe(true)
      images += 1
    }
    expect(images).toBe(5)
  })

  it('lists what is no image in its DICOMDIR as what it is [7.38]', async () => {
    const sopClassUID = '1.2.840.10008.5.1.4.1.1.66.1'
    const elements = Object.fromEntries(
      Object.entries(
        slice({
          '00080016': text('UI', sopClassUID),
          '00080018': text('UI', '1.9.2.1'),
          '0020000D': text('UI', '1.9.3'),
          '0020000E': text('UI', '1.9.2'),
        }),
      ).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag)),
    )
    const registration = dicomFile({
      elements,
      start: part10Start({ sopClassUID, sopInstanceUID: '1.9.2.1', transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    })
    expect((await stow(server, admin, [registration])).statusCode).toBe(200)
    const link = pathOf((await admin.call(scan.download, { organizationId, seriesUID: '1.9.2' })).data.downloadUrl)
    const words =
      unzip((await open(link)).rawPayload)
        .get('DICOMDIR')
        ?.toString('latin1') ?? ''
    expect([words.includes('REGISTRATION'), words.includes('IMAGE')]).toEqual([true, false])
  })

  it('opens once; a broken download goes on where it stopped, with the same bytes', async () => {
    const link = await newLink()
    const whole = await open(link)
    expect((await open(link)).statusCode).toBe(404)
    const rest = await open(link, { range: 'bytes=700-', 'if-range': String(whole.headers.etag) })
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([
      206,
      `bytes 700-${whole.rawPayload.length - 1}/${whole.rawPayload.length}`,
    ])
    expect(rest.rawPayload.equals(whole.rawPayload.subarray(700))).toBe(true)
    expect(Number(rest.headers['content-length'])).toBe(whole.rawPayload.length - 700)
    const over = await open(link, {
      range: `bytes=${whole.rawPayload.length}-`,
      'if-range': String(whole.headers.etag),
    })
    expect([over.statusCode, over.json<{ message: string }>().message]).toEqual([
      416,
      'The download was complete already.',
    ])
    expect((await open(link, { range: 'bytes=700-', 'if-range': '"another"' })).statusCode).toBe(404)
    expect(
      (await open(await newLink(), { range: 'bytes=700-', 'if-range': String(whole.headers.etag) })).statusCode,
    ).toBe(404)
  })

  it('does not open when made up, late, or of somebody who was deactivated', async () => {
    expect((await open(`/api/Scan/downloads/${'A'.repeat(43)}`)).statusCode).toBe(404)
    const late = await newLink()
    await server.deps.db
      .updateTable('scan_downloads')
      .set({ expires_date: new Date(Date.now() - 1000) })
      .where('used_date', 'is', null)
      .execute()
    expect((await open(late)).statusCode).toBe(404)
    const left = await newLink()
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', admin.userId).execute()
    expect((await open(left)).statusCode).toBe(404)
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', admin.userId).execute()
  })

  it('waits a quarter of an hour for its link to be opened [P25]', async () => {
    await newLink()
    const rows = await server.deps.db
      .selectFrom('scan_downloads')
      .select('expires_date')
      .where('used_date', 'is', null)
      .execute()
    expect(
      Math.max(...rows.map(({ expires_date: expires }) => Math.round((expires.getTime() - Date.now()) / 60_000))),
    ).toBe(15)
  })

  it('is refused for scans of others and without Scan/Download [6.02, P01, P02]', async () => {
    expect((await (await server.signIn('admin@south.example')).call(scan.download, series())).status).toBe(404)
    expect((await (await server.signIn('sys_admin')).call(scan.download, series())).status).toBe(403)
    expect((await admin.call(scan.download, { organizationId, seriesUID: '1.2.404' })).status).toBe(404)
  })

  it('keeps tokens and names out of database, log and file name [P23, P25]', async () => {
    const link = await newLink()
    const token = link.split('/').at(-1) ?? ''
    const reply = await open(link)
    expect(JSON.stringify(await server.deps.db.selectFrom('scan_downloads').selectAll().execute())).not.toContain(token)
    expect(server.logs.join('')).not.toContain(token)
    expect(String(reply.headers['content-disposition'])).toMatch(/^attachment; filename="scan-[0-9a-f]{8}\.zip"$/)
    const audit = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScanDownloaded')
      .execute()
    expect(audit[0]?.subject).toEqual({ seriesUID: '1.9.1' })
  })
})

describe('share [P25]', () => {
  const share = async (more: object = {}, days = 1) =>
    (await admin.call(scan.share, { ...series(), expireInDay: days, ...more })).data.downloadUrl.split('/').at(-1) ?? ''
  const ask = (token: string) => server.call(scan.getShared, { token })
  const use = (token: string, password: string | null = null) => server.call(scan.openShared, { token, password })

  it('says until when and what it asks for, and nothing about the patient before the click [P25, 3.14]', async () => {
    const reply = await ask(await share({ maxUses: 2, password: 'let me in' }, 7))
    expect(Object.keys(reply.data).sort()).toEqual(['expireDate', 'hasPassword', 'usesLeft'])
    expect(reply.data).toMatchObject({ hasPassword: true, usesLeft: 2 })
    expect(Math.round((Date.parse(reply.data.expireDate) - Date.now()) / 60_000)).toBe(7 * 24 * 60)
    expect(reply.raw.body).not.toMatch(/Hidden|1\.9\.1|T-1/)
  })

  it('downloads the shared series and no other, without an account [P25]', async () => {
    const token = await share({ maxUses: 3 })
    const { status, data } = await use(token)
    expect(status).toBe(200)
    expect((await ask(token)).data.usesLeft).toBe(2)
    const reply = await open(pathOf(data.downloadUrl))
    expect(unzip(reply.rawPayload).size).toBe(7)
  })

  it('is 256 bits, stored hashed, in a link of this product [P25]', async () => {
    const url = (await admin.call(scan.share, { ...series(), expireInDay: 1 })).data.downloadUrl
    expect(url).toMatch(/\/share\/[\w-]{43}$/)
    expect(JSON.stringify(await server.deps.db.selectFrom('scan_shares').selectAll().execute())).not.toContain(
      url.split('/').at(-1),
    )
    expect(server.logs.join('')).not.toContain(url.split('/').at(-1))
  })

  it('answers alike when wrong, expired, revoked and used up [P25]', async () => {
    const answers = []
    const plain = (body: string) => body.replace(/"requestId":"[^"]+"/, '')
    for (const make of [
      async () => 'x'.repeat(43),
      async () => 'no token at all',
      async () => {
        const token = await share()
        await server.deps.db
          .updateTable('scan_shares')
          .set({ expire_date: new Date(Date.now() - 1) })
          .execute()
        return token
      },
      async () => {
        const token = await share()
        const [link] = (await admin.call(scan.listShares, series())).data
        expect((await admin.call(scan.revokeShare, { id: link?.id ?? '' })).status).toBe(200)
        return token
      },
      async () => {
        const token = await share({ maxUses: 1 })
        expect((await use(token)).status).toBe(200)
        return token
      },
    ]) {
      const token = await make()
      const [asked, used] = [await ask(token), await use(token)]
      answers.push([asked.status, plain(asked.raw.body), used.status, plain(used.raw.body)])
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
  })

  it('ends to the second, also for a download that was only begun [P25]', async () => {
    const token = await share()
    const { data } = await use(token)
    await server.deps.db
      .updateTable('scan_shares')
      .set({ expire_date: new Date(Date.now() + 1_000) })
      .execute()
    expect((await ask(token)).status).toBe(200)
    await new Promise((done) => setTimeout(done, 1_050))
    expect([(await ask(token)).status, (await open(pathOf(data.downloadUrl))).statusCode]).toEqual([404, 404])
  })

  it('asks for its password, slows guessing down and counts no use for it [P25, P04]', async () => {
    const token = await share({ password: 'open sesame' })
    expect(await use(token)).toMatchObject({ status: 400, code: 'WRONG_PASSWORD' })
    const began = Date.now()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => use(token, `guess ${index}`)))
    // Five are free: the one before, and four of these. Each further one waits a second, which a busy machine may need
    // for all of them.
    const looked = guesses.filter((one) => one.status === 400).length
    expect([looked >= 4, looked <= 4 + Math.floor((Date.now() - began) / 1000)]).toEqual([true, true])
    const slowed = guesses.find((one) => one.status === 429)
    expect(Number(slowed?.headers['retry-after'])).toBeGreaterThan(0)
    // As if it had begun just now, however slow this machine is.
    await server.deps.db
      .updateTable('scan_shares')
      .set({ blocked_until: new Date(Date.now() + 60_000) })
      .where('blocked_until', 'is not', null)
      .execute()
    expect((await use(token, 'open sesame')).status).toBe(429)
    await server.deps.db
      .updateTable('scan_shares')
      .set({ failures: 40, blocked_until: null })
      .where('blocked_until', 'is not', null)
      .execute()
    expect((await use(token)).status).toBe(400)
    const longest = Number((await use(token)).headers['retry-after'])
    expect([longest > 800, longest <= 900]).toEqual([true, true])
    await server.deps.db.updateTable('scan_shares').set({ blocked_until: null }).execute()
    expect((await use(token, 'open sesame')).status).toBe(200)
    expect((await admin.call(scan.listShares, series())).data[0]).toMatchObject({ uses: 1, hasPassword: true })
  })

  it('opens nothing while the organization is deactivated [P25, 4.03]', async () => {
    const token = await share()
    const { data } = await use(token)
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('organizations').set({ status }).where('id', '=', organizationId).execute()
    await setStatus('Deactivated')
    expect([
      (await ask(token)).status,
      (await use(token)).status,
      (await open(pathOf(data.downloadUrl))).statusCode,
    ]).toEqual([404, 404, 404])
    await setStatus('Activated')
    expect((await ask(token)).status).toBe(200)
  })

  it('gives its last use to one of many who want it at once [P25]', async () => {
    const token = await share({ maxUses: 1 })
    const all = await Promise.all(Array.from({ length: 10 }, () => use(token)))
    expect(all.filter((one) => one.status === 200).length).toBe(1)
  })

  it('is listed and revoked by those who may share in the organization only [P02]', async () => {
    await share()
    const south = await server.signIn('admin@south.example')
    const [link] = (await admin.call(scan.listShares, series())).data
    expect((await south.call(scan.listShares, series())).status).toBe(404)
    expect((await south.call(scan.revokeShare, { id: link?.id ?? '' })).status).toBe(404)
    expect((await south.call(scan.revokeShare, { id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404)
    expect((await south.call(scan.share, { ...series(), expireInDay: 1 })).status).toBe(404)
    expect(link?.revokedDate).toBeNull()
  })

  it('lasts 1 to 7 whole days [5.13, 9.04]', async () => {
    for (const days of [0, 8, 1.5, -1])
      expect((await admin.call(scan.share, { ...series(), expireInDay: days })).status).toBe(400)
  })

  it('records creation, every use and revocation [P24, P25]', async () => {
    const events = (
      await server.deps.db.selectFrom('audit').select('event').where('organization_id', '=', organizationId).execute()
    ).map((one) => one.event)
    for (const event of ['ScanShared', 'ShareUsed', 'ShareRevoked'] as const) expect(events).toContain(event)
    await share({ password: 'open sesame', maxUses: 2 })
    await share()
    const shared = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScanShared')
      .orderBy('position', 'desc')
      .limit(2)
      .execute()
    expect(shared.map(({ subject }) => [subject.hasPassword, subject.maxUses])).toEqual([
      [false, null],
      [true, 2],
    ])
    const [first, second] = (await admin.call(scan.listShares, series())).data
    expect([first?.hasPassword, second?.hasPassword]).toEqual([false, true])
  })
})
