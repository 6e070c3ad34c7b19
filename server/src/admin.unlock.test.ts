import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Db } from './db/client.ts'
import { readKeys } from './identity/keys.ts'
import { createLoginThrottle } from './modules/account/loginThrottle.ts'
import { accountAttempt } from './identity/loginAttempts.ts'
import { readSettings } from './settings/settings.ts'
import { startChild } from './testing/childServer.ts'
import { prepareFolder } from './testing/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-unlock-'))
beforeAll(() => prepareFolder(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const variables = { DMP_DEMO: '1', DMP_DATA_DIR: folder }
const admin = (...words: string[]) => startChild(variables, 'admin.ts', words).ended
const email = 'boss@provider.example'

async function inDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ kind: 'folder', folder })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

it('shows the operator a lockout and lifts it, which is recorded [P04, P24]', async () => {
  expect((await admin('create', '--email', email)).code).toBe(0)
  const keys = await readKeys(readSettings(variables))
  await inDatabase(async (db) => {
    const throttle = createLoginThrottle(db, keys)
    for (let failures = 0; failures < 5; failures += 1) await throttle.reserve(accountAttempt(email))
    await db
      .updateTable('login_attempts')
      .set({ blocked_until: new Date(Date.now() + 900_000) })
      .execute()
  })
  const lifted = await admin('unlock', email.toUpperCase())
  expect([lifted.code, lifted.errors, lifted.out]).toEqual([
    0,
    '',
    expect.stringMatching(
      /^boss@provider\.example had to wait until 20\S+Z after 5 failed attempts\. They are forgotten/,
    ),
  ])
  const [attempts, events] = await inDatabase(
    async (db) =>
      [
        await db.selectFrom('login_attempts').selectAll().execute(),
        await db.selectFrom('audit').select('subject').where('event', '=', 'LockoutLifted').execute(),
      ] as const,
  )
  expect([attempts, events]).toEqual([[], [{ subject: { userId: expect.any(String), failures: 5 } }]])
  expect((await admin('unlock', '--email', email)).out).toContain('did not have to wait: no failed attempt was counted')
  const unknown = await admin('unlock', 'nobody@provider.example')
  expect([unknown.code, unknown.errors]).toEqual([
    1,
    'There is no account nobody@provider.example. Check how it is spelt.\n',
  ])
})
