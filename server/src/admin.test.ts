import { createHmac, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provider } from '@dmp/contract/examples'
import { openDatabase, type Db } from './db/client.ts'
import { startChild, type Ended } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-admin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const production = {
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: signingKey,
  DMP_DATA_DIR: folder,
}
const admin = (...words: string[]): Promise<Ended> => startChild(production, 'admin.ts', words).ended

async function inDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ kind: 'folder', folder })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}
const boss = 'boss@provider.example'
/** As the server names the failed sign-ins of an account. */
const guessesOn = (email: string): string =>
  createHmac('sha256', production.DMP_SECRET).update(`guess:account:${email}`).digest('base64url')
const account = (db: Db) => db.selectFrom('users').selectAll().where('email', '=', boss).executeTakeFirstOrThrow()
const hoursUntil = (date: Date | null): number => (Number(date) - Date.now()) / 3_600_000

describe('accounts of the operator', () => {
  it.each([[['create']], [['remove', '--email', boss]], [['--email', boss]]])(
    '%j is answered with how it is used',
    async (words) => {
      const { code, errors } = await admin(...words)
      expect([code, errors]).toEqual([
        1,
        expect.stringContaining('npm run admin -- create --email you@provider.example'),
      ])
    },
  )

  it('are refused with everything that is wrong about them', async () => {
    const { code, errors } = await admin('create', '--email', 'boss', '--title', 'King', '--role', 'staff')
    expect([code, errors.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^email: /),
        expect.stringMatching(/^title: --title is one of /),
        'role: --role is one of super_admin, sys_admin.',
      ],
    ])
  })

  it('are made once, with a temporary password of three days [1.08, P24]', async () => {
    const made = await admin('create', '--email', boss, '--first-name', 'Ada', '--last-name', 'Berg')
    expect([made.code, made.errors, made.out]).toEqual([
      0,
      '',
      expect.stringMatching(new RegExp(`^${boss} can sign in .* valid for 72 hours\\.\n\n {2}\\S{16}\n`)),
    ])
    const again = await admin('create', '--email', boss.toUpperCase())
    expect([again.code, again.errors]).toEqual([
      1,
      expect.stringContaining('already has an account. For a new temporary password: npm run admin -- reset --email'),
    ])
    const [row, event] = await inDatabase(
      async (db) =>
        [
          await account(db),
          await db
            .selectFrom('audit')
            .selectAll()
            .where('event', '=', 'AdministratorCreated')
            .executeTakeFirstOrThrow(),
        ] as const,
    )
    expect(row).toMatchObject({
      organization_id: provider.id,
      first_name: 'Ada',
      last_name: 'Berg',
      role: 'super_admin',
      is_confirmed: false,
    })
    expect([Math.round(hoursUntil(row.temporary_until)), event.subject]).toEqual([
      72,
      { userId: row.id, role: 'super_admin' },
    ])
  })

  it('that forgot their password get a new temporary one, and what the one before began ends; of others there is none', async () => {
    const nobody = await admin('reset', '--email', 'nobody@provider.example')
    expect([nobody.code, nobody.errors]).toEqual([
      1,
      'The provider has no account nobody@provider.example. To create one: npm run admin -- create --email nobody@provider.example\n',
    ])
    // As the person had long chosen a password of their own.
    const before = await inDatabase(async (db) => {
      await db
        .updateTable('users')
        .set({ is_confirmed: true, temporary_until: null })
        .where('email', '=', boss)
        .execute()
      const row = await account(db)
      await db
        .insertInto('sessions')
        .values({
          user_id: row.id,
          client_id: 'dmp-web',
          binding_hash: null,
          device: '',
          address: '',
          expires_date: new Date(Date.now() + 3_600_000),
          ended_date: null,
          end_reason: null,
        })
        .execute()
      // A link in a mail that somebody else may read, and the guesses of a stranger.
      await db
        .insertInto('challenges')
        .values({
          hash: 'an open link',
          purpose: 'RESET',
          user_id: row.id,
          client_id: 'dmp-web',
          code_hash: null,
          expires_date: new Date(Date.now() + 3_600_000),
          used_date: null,
          device_hash: null,
        })
        .execute()
      await db
        .insertInto('login_attempts')
        .values({
          key: guessesOn(boss),
          failures: 9,
          blocked_until: new Date(Date.now() + 900_000),
          updated_date: new Date(),
        })
        .execute()
      return row
    })
    const reset = await admin('reset', '--email', boss)
    expect([reset.code, reset.errors]).toEqual([0, ''])
    const [row, sessions, links, guesses] = await inDatabase(
      async (db) =>
        [
          await account(db),
          await db.selectFrom('sessions').selectAll().execute(),
          await db.selectFrom('challenges').selectAll().execute(),
          await db.selectFrom('login_attempts').selectAll().execute(),
        ] as const,
    )
    expect([
      row.is_confirmed,
      Math.round(hoursUntil(row.temporary_until)),
      row.password_hash === before.password_hash,
    ]).toEqual([false, 72, false])
    expect(sessions.map(({ end_reason: why }) => why)).toEqual(['reset by the operator'])
    expect(links.map(({ expires_date: end }) => Number(end) <= Date.now())).toEqual([true])
    expect(guesses).toEqual([])
  })
})
