import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callsAt, objectOf, type OutsideCalls } from './testing/callsFromOutside.ts'
import { startChild, type Child } from './testing/childServer.ts'
import { prepareFolder } from './testing/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-clock-'))
const clockFile = join(folder, 'clock')
const preload = new URL(`./testing/setClock.mjs?file=${clockFile}`, import.meta.url).href
const dayMs = 24 * 3_600_000
const email = 'staff@north.example'

/** The clock of the running server, and of its embedded database. */
async function setClock(offsetMs: number): Promise<void> {
  writeFileSync(clockFile, String(offsetMs))
  // Until both threads have looked at it.
  await new Promise((later) => setTimeout(later, 100))
}

let child: Child
let calls: OutsideCalls
beforeAll(async () => {
  const dataDir = join(folder, 'data')
  await prepareFolder(dataDir)
  await setClock(2 * dayMs)
  child = startChild(
    { DMP_DEMO: '1', DMP_DATA_DIR: dataDir, DMP_DISK_NOTICE_MB: '0' },
    'main.ts',
    [],
    ['--import', preload],
  )
  calls = callsAt((await child.ready).replace('localhost', '127.0.0.1'))
})
afterAll(async () => {
  child.process.kill('SIGKILL')
  await child.ended
  rmSync(folder, { recursive: true, force: true })
})

const guess = (number: number): ReturnType<OutsideCalls['ask']> =>
  calls.ask('POST', '/api/account/login', {}, { ClientId: 'dmp-web', email, password: `wrong ${number}` })
/** Wrong passwords until one has to wait; the seconds that it is told. */
async function guessUntilBlocked(): Promise<number> {
  for (let number = 0; number < 20; number += 1) {
    const reply = await guess(number)
    if (reply.status === 429) return Number(reply.headers.get('retry-after'))
  }
  throw new Error('nothing was ever blocked')
}

it('keeps nobody out, and no job waiting, for as long as a clock was set back [P04, P21]', async () => {
  const headers = await calls.signIn()
  expect((await calls.stow(headers, [objectOf('1.91', 1)])).status).toBe(200)
  expect(await guessUntilBlocked()).toBeLessThanOrEqual(900)
  const { data } = JSON.parse((await calls.ask('GET', '/api/account/profile', headers)).text) as {
    data: { organizationId: string }
  }
  // Somebody asks for a transfer a moment before the clock is set right.
  const begun = calls.ask('POST', `/api/Scan/transfer/${data.organizationId}`, headers, {
    scans: [{ studyUID: '1.91', seriesUID: '1.91.1' }],
    dstOrganizationName: 'South-Clinic',
    anonymize: true,
  })
  expect((await begun).status).toBe(200)

  await setClock(0)
  expect((await calls.login(email)).status).toBe(200)
  expect((await calls.login()).status).toBe(200)
  expect((await calls.ask('GET', '/api/account/profile', headers)).status).toBe(200)
  expect(await guessUntilBlocked()).toBeLessThanOrEqual(900)
  for (;;) {
    const list = await calls.ask('GET', '/api/Scan/listTransfers', await calls.signIn())
    const transfers = (JSON.parse(list.text) as { data: { state: string }[] }).data
    if (transfers.every(({ state }) => state === 'Done')) break
    await new Promise((again) => setTimeout(again, 1000))
  }
  // A little back: the rest of the wait grows, and stays within its quarter of an hour.
  await setClock(-5 * 60_000)
  const waiting = await guess(99)
  expect([401, 429]).toContain(waiting.status)
  expect(Number(waiting.headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(900)
  await setClock(-60 * 60_000)
  expect((await calls.login(email)).status).toBe(200)
})

it('says in the log by how much the clock was set [P21]', async () => {
  await setClock(-3 * dayMs)
  const sentence = /The clock of this machine was set back by \d+ minutes\. Nothing is deleted for its age for an hour/
  while (!sentence.test(child.said.out)) await new Promise((again) => setTimeout(again, 100))
})
