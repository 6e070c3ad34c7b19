import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account } from '@dmp/contract'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { makeServer, type Server } from '../app.ts'
import { readKeys } from '../identity/keys.ts'
import { findSessionByLabel } from '../identity/sessionLabels.ts'
import { readSettings } from '../settings/settings.ts'
import { toRequest } from '../testing/request.ts'
import { openDatabase, type Db } from './client.ts'
import { migrations } from './migrations/index.ts'
import { previousLaunch, previousSession, type PreviousTables } from './testing/previousTables.ts'

const label = '0b0e7c1a-0000-4000-8000-00000000abcd'
const refreshToken = 'a-refresh-token-of-the-version-before'
const dataDir = mkdtempSync(join(tmpdir(), 'dmp-sessions-'))
const settings = readSettings({ DMP_DEMO: '1', PORT: '0', DMP_DATA_DIR: dataDir })
let server: Server
let session: { id: string; userId: string; organizationId: string }

/** What a server of the version before left in its data folder. */
async function fill(db: Db): Promise<typeof session> {
  const keys = await readKeys(settings)
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ name: 'Earlier-Clinic', status_by: 'System', region_id: null, datastore_id: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: userId } = await db
    .insertInto('users')
    .values({
      organization_id: organizationId,
      email: 'earlier@clinic.example',
      civility: 'Ms',
      first_name: 'Ada',
      last_name: 'Berg',
      mobile: null,
      landline: null,
      fax: null,
      role: 'staff',
      password_hash: null,
      temporary_until: null,
      status_by: 'System',
      status_comment: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const previous = db as unknown as Kysely<PreviousTables>
  const { id } = await previous
    .insertInto('families')
    .values(previousSession(userId))
    .returning('id')
    .executeTakeFirstOrThrow()
  const hash = keys.digest('refresh', refreshToken)
  await previous.insertInto('refresh_tokens').values({ hash, family_id: id, used_date: null }).execute()
  await previous.insertInto('live_sessions').values({ session_id: label, family_id: id }).execute()
  await previous
    .insertInto('scan_launches')
    .values(previousLaunch(userId, organizationId, id))
    .execute()
  const now = new Date()
  await previous
    .insertInto('guesses')
    .values({ key: 'k', failures: 7, blocked_until: now, updated_date: now })
    .execute()
  const release = { part: 'scan', release_id: 'scan@1' }
  await previous
    .insertInto('release_sightings')
    .values({ ...release, minute: now, what: 'loaded', pages: 3 })
    .execute()
  await previous
    .insertInto('release_witnesses')
    .values({ ...release, witness: 'w' })
    .execute()
  return { id, userId, organizationId }
}

beforeAll(async () => {
  const database = await openDatabase({ kind: 'folder', folder: dataDir })
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo('0007-scan-search')
  if (error !== undefined) throw error
  session = await fill(database.db)
  await database.close()
  server = await makeServer(settings, { log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a data folder of the version before sessions had their name', () => {
  it('opens, and everything in it is found under the new names [P21]', async () => {
    const { db } = server.deps
    expect(await db.selectFrom('sessions').select(['id', 'user_id', 'device']).execute()).toEqual([
      { id: session.id, user_id: session.userId, device: 'Uploader' },
    ])
    expect(await db.selectFrom('scan_launches').select(['session_id', 'study_uid']).execute()).toEqual([
      { session_id: session.id, study_uid: '1.2.3' },
    ])
    expect(await db.selectFrom('login_attempts').select(['key', 'failures']).execute()).toEqual([
      { key: 'k', failures: 7 },
    ])
    expect(await db.selectFrom('release_reports').select(['what', 'pages']).execute()).toEqual([
      { what: 'loaded', pages: 3 },
    ])
    expect(await db.selectFrom('affected_users').select(['part', 'user_hash']).execute()).toEqual([
      { part: 'scan', user_hash: 'w' },
    ])
  })

  it('signs nobody out: labels, refresh tokens and launches go on [P08, P21]', async () => {
    const { db, viewers } = server.deps
    const owner = { sessionId: session.id, userId: session.userId, organizationId: session.organizationId }
    expect(await findSessionByLabel(db, label)).toEqual(owner)
    expect(await viewers.ofSession(session.id, session.userId)).toMatchObject({ sessionId: session.id, role: 'staff' })
    const renewed = await server.app.inject(toRequest(account.renewToken, { clientId: 'dmp-web', refreshToken }))
    expect(renewed.statusCode).toBe(200)
    const { accessToken } = renewed.json<{ data: { accessToken: string } }>().data
    expect(await viewers.of(accessToken)).toMatchObject({ userId: session.userId, sessionId: session.id })
  })
})
