import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { Archive, archiveWaits } from './archive/archive.ts'
import { FakeArchive } from './testing/FakeArchive.ts'
import { FreezableLine } from './testing/FreezableLine.ts'

/** 8 s in the product (`objectStoreArchive.test.ts`). A timer of this length is the archive's, and of no other part. */
const answerMs = 1777
const archive = new FakeArchive()
/** Waits for the archive that began, and those of them that nobody ended. */
let waits: { readonly began: number; endedInVain?: number }[] = []
let line: FreezableLine
let lineUrl: string
let server: TestServer
let admin: SignedIn
let organizationId: string

beforeAll(async () => {
  jest.replaceProperty(archiveWaits, 'answerMs', answerMs)
  const { setTimeout: begin } = globalThis
  const watch = (then: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    // Storing waits a little longer, by size.
    if (ms === undefined || ms < answerMs || ms > answerMs + 100) return begin(then, ms, ...given)
    const wait: (typeof waits)[number] = { began: performance.now() }
    waits.push(wait)
    return begin(() => {
      wait.endedInVain = performance.now()
      then(...given)
    }, ms)
  }
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(watch as never)
  const url = new URL(await archive.listen())
  line = new FreezableLine(url)
  lineUrl = `${await line.listen()}${url.pathname}`
  server = await startServer({
    DMP_DICOMWEB_URL: lineUrl,
    DMP_DICOMWEB_TOKEN: 'a-secret-token',
    DMP_DICOMWEB_DELETE: 'dicomweb',
  })
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
})
/** A server of a test has no releases, and so is never ready as a whole. */
const isAway = async () => (await server.app.inject('/readyz')).body.includes('object store')
afterEach(async () => {
  line.thaw()
  // It is not asked for a moment after it hung.
  while (await isAway()) await new Promise((done) => setTimeout(done, 50))
})
afterAll(async () => {
  await server.close()
  line.close()
  archive.close()
})

const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.98.1.${number}`),
      '0020000D': text('UI', '1.98'),
      '0020000E': text('UI', '1.98.1'),
    }),
  })
const path = '/dicom-web/studies/1.98/series/1.98.1/instances/1.98.1.1'
const get = (url: string, accept = '*/*') => server.app.inject({ url, headers: { ...admin.headers, accept } })
const notes = (): string[] =>
  readdirSync(join(server.deps.settings.dataDir, 'incoming')).filter((name) => name.endsWith('.key'))

/** Statuses of everything that was asked at once. */
const ask = async (...requests: (() => Promise<{ statusCode: number }>)[]): Promise<number[]> =>
  (await Promise.all(requests.map((request) => request()))).map(({ statusCode }) => statusCode)

/** Waits that began after another had been in vain: somebody would wait for twice as long. */
const secondWaits = (): number => {
  const first = Math.min(...waits.map(({ endedInVain = Infinity }) => endedInVain))
  return waits.filter(({ began }) => began > first).length
}

it('answers what needs an archive that hangs with 503, after one wait, and goes on with it [P21]', async () => {
  expect((await stow(server, admin, [object(1)])).statusCode).toBe(200)
  waits = []
  line.freeze()
  const statuses = await ask(
    () => stow(server, admin, [object(2)]),
    // The second of the same object waits for the first.
    () => stow(server, admin, [object(2)]),
    () =>
      stow(
        server,
        admin,
        Array.from({ length: 12 }, (_, number) => object(10 + number)),
      ),
    () => get(path, 'application/dicom'),
    () => server.app.inject('/readyz'),
  )
  expect(statuses).toEqual(statuses.map(() => 503))
  expect(waits.some(({ endedInVain }) => endedInVain !== undefined)).toBe(true)
  expect(secondWaits()).toBe(0)
  expect(await isAway()).toBe(true)
  expect((await get('/dicom-web/studies')).statusCode).toBe(200)
  expect(server.logs.filter((entry) => entry.includes('a dependency failed')).join('')).toContain('does not answer')
  line.thaw()
  while ((await get(path, 'application/dicom')).statusCode !== 200) await new Promise((done) => setTimeout(done, 50))
  expect((await stow(server, admin, [object(2)])).statusCode).toBe(200)
})

it('that hangs while it stores: 503, and what it may have taken is removed later [P20, P21]', async () => {
  line.freezeAt('POST ')
  waits = []
  expect(await ask(() => stow(server, admin, [object(3)]))).toEqual([503])
  expect([secondWaits(), notes().length]).toEqual([0, 1])
  // It had taken the object in after all.
  archive.held.set('1.98.1.3', object(3))
  line.thaw()
  while (await isAway()) await new Promise((done) => setTimeout(done, 50))
  await server.deps.objects.recover(async () => new Set(), 0)
  expect([archive.held.has('1.98.1.3'), notes()]).toEqual([false, []])
})

it('that hangs in the middle of an answer: nobody waits for ever [P21]', async () => {
  expect((await stow(server, admin, [object(1)])).statusCode).toBe(200)
  line.freezeAt('Content-Type: application/dicom')
  const instance = { organizationId, studyUID: '1.98', seriesUID: '1.98.1', sopInstanceUID: '1.98.1.1' }
  const reading = new Archive({ url: lineUrl, token: 'a-secret-token', deletes: 'never' }).sha256(instance)
  await expect(reading).rejects.toMatchObject({ fault: 'UNAVAILABLE' })
})

it('that lost an object gets it again with another upload of the same [P20]', async () => {
  expect((await stow(server, admin, [object(1)])).statusCode).toBe(200)
  archive.held.delete('1.98.1.1')
  expect((await get(path, 'application/dicom')).statusCode).toBe(404)
  expect((await stow(server, admin, [object(1)])).statusCode).toBe(200)
  expect((await get(path, 'application/dicom')).rawPayload.equals(object(1))).toBe(true)
})

it('does not keep anybody from deleting [P21]', async () => {
  line.freeze()
  waits = []
  const reply = await admin.call(scan.remove, { organizationId, seriesIdList: ['1.98.1'] })
  expect([reply.status, secondWaits()]).toEqual([200, 0])
})
