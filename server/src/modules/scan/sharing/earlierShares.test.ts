import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { makeServer, type Server } from '../../../app.ts'
import { openDatabase, type Db } from '../../../db/client.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { readSettings } from '../../../settings/settings.ts'
import { toRequest } from '../../../testing/request.ts'
import { createLinkToken, hashLinkToken } from '../linkTokens.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dmp-shares-'))
const settings = readSettings({ DMP_DEMO: '1', PORT: '0', DMP_DATA_DIR: dataDir })
const token = createLinkToken()
let server: Server

/** What a server of the version before left: a scan, and a link to it that was used once. */
async function fill(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    with organization as (insert into organizations (name, status_by) values ('Earlier-Clinic', 'System') returning id)
    insert into users (organization_id, email, civility, first_name, last_name, role, status_by)
      select id, 'earlier@clinic.example', 'Ms', 'Ada', 'Berg', 'staff', 'System' from organization
    returning organization_id as id, id as user_id`.execute(db)
  const { id, user_id: userId } = rows[0] ?? { id: '', user_id: '' }
  await sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
    attributes) values (${id}, '1.2', 'P-1', 'Earlier^Name', '2025-01-02', '',
    ${'{"00081030":{"vr":"LO","Value":["Knee"]},"00100010":{"vr":"PN","Value":[{"Alphabetic":"Earlier^Name"}]}}'})`.execute(
    db,
  )
  await sql`insert into series (organization_id, series_uid, study_uid, image_set_id, patient_name, patient_id,
    modality, description, source, acq_date, images, instances, compatible_saas, attributes, search_words)
    values (${id}, '1.2.3', '1.2', ${'0'.repeat(32)}, 'Earlier, Name', 'P-1', 'CT', 'Axial', 'Upload', '2025-01-02', 2,
    2, '{}', '{}', '')`.execute(db)
  await addEarlierLink(db, token, id, userId)
}

/** As a server of the version before writes a link. */
const addEarlierLink = (db: Db, newToken: string, organizationId: string, userId: string) =>
  sql`insert into scan_shares (token_hash, organization_id, series_uid, created_by, created_by_user, expire_date,
    password_hash, max_uses, uses, blocked_until, last_used_date, revoked_date)
    values (${hashLinkToken(newToken)}, ${organizationId}, '1.2.3', ${userId}, 'Ms Ada Berg',
    now() + interval '1 day', null, 3, 1, null, now(), null)`.execute(db)

beforeAll(async () => {
  const database = await openDatabase({ kind: 'folder', folder: dataDir })
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo('0013-organization-keys')
  if (error !== undefined) throw error
  await fill(database.db)
  await database.close()
  server = await makeServer(settings, { log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const call = async (...[endpoint, input]: Parameters<typeof toRequest>) => {
  const reply = await server.app.inject(toRequest(endpoint, input))
  return { status: reply.statusCode, data: reply.json<{ data: never }>().data }
}

it('a link of the version before opens what it opened, with the uses that it had left [P21, P25]', async () => {
  expect((await call(scan.getShared, { token })).data).toMatchObject({
    usesLeft: 2,
    hasPassword: false,
    codeGoesTo: null,
    allowsDownload: true,
    sharedBy: { person: 'Ms Ada Berg', organization: 'Earlier-Clinic' },
    studies: [{ description: 'Knee', modalities: ['CT'], series: 1, images: 2 }],
  })
  expect((await call(scan.openShared, { token, password: null })).status).toBe(200)
  expect((await call(scan.visitShared, { token })).data).toMatchObject({
    studies: [{ patientName: 'Earlier, Name', series: [{ seriesUID: '1.2.3' }] }],
  })
  expect((await call(scan.visitShared, { token })).status).toBe(404)
})

it('a link that a server of the version before makes meanwhile opens here, too [P21, P25]', async () => {
  const { db } = server.deps
  const maker = await db
    .selectFrom('users')
    .select(['id', 'organization_id'])
    .where('email', '=', 'earlier@clinic.example')
    .executeTakeFirstOrThrow()
  const newToken = createLinkToken()
  await addEarlierLink(db, newToken, maker.organization_id, maker.id)
  expect((await call(scan.visitShared, { token: newToken })).status).toBe(200)
})
