import { readdirSync, readFileSync } from 'node:fs'
import type { KyselyPlugin } from 'kysely'
import { openDatabase, type Database } from './client.ts'
import { isExpansion, migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

let database: Database
/** Without what the tests add. */
let migrated: Database
beforeAll(async () => {
  database = await openDatabase({ kind: 'memory' })
  await migrate(database.db)
})
beforeAll(async () => {
  migrated = await openDatabase({ kind: 'memory' })
  await migrate(migrated.db)
})
afterAll(() => Promise.all([database.close(), migrated.close()]))

type Options = { readonly migrates: boolean }
const refusal = async ({ db }: Database, options?: Options): Promise<readonly string[]> =>
  ((await migrate(db, options).catch((cause: unknown) => cause)) as { sentences: readonly string[] }).sentences
const cure = 'Start the version that wrote it, or restore a backup and try again.'
const names = Object.keys(migrations)
const [, second = ''] = names.toSorted()
const last = names.toSorted().at(-1) ?? ''
const countRows = async (): Promise<number> =>
  (await migrated.embedded?.query('select name from kysely_migration'))?.rows.length ?? 0

/** A newer version has migrated the database. */
async function withNewer(name: string, work: () => Promise<void>): Promise<void> {
  await migrated.embedded?.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, '2099-01-01'])
  await work()
  await migrated.embedded?.query('delete from kysely_migration where name = $1', [name])
}

describe('a database that cannot be brought to this version', () => {
  it('is named with the step that failed and why, and that step left nothing behind [P21]', async () => {
    await database.embedded?.query('delete from kysely_migration where name >= $1', [second])
    expect(await refusal(database)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The database could not be migrated to this version: ${second} failed \\(.*already exists.*\\)\\. It changed nothing\\.$`,
        ),
      ),
      cure,
    ])
  })

  it('is one from which a newer version took something away, too [P21]', () =>
    withNewer('9999-contract-to-come', async () => {
      for (const migrates of [true, false])
        expect(await refusal(migrated, { migrates })).toEqual([
          expect.stringMatching(/^The database does not match this version \(.*9999-contract-to-come.*\)\.$/),
          cure,
        ])
    }))
})

it('that has no room on its disk is told so, not that it is of another version [P21]', async () => {
  const full: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (/^\s*select/i.test(node.kind === 'RawNode' ? node.sqlFragments.join('') : node.kind)) return node
      throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
    },
    transformResult: async ({ result }) => result,
  }
  const kept = await migrated.embedded?.query<{ timestamp: string }>(
    'delete from kysely_migration where name = $1 returning timestamp',
    [last],
  )
  const found = await refusal({ ...migrated, db: migrated.db.withPlugin(full) })
  await migrated.embedded?.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
    last,
    kept?.rows[0]?.timestamp,
  ])
  expect(found).toEqual([
    expect.stringMatching(/^The disk of the database has no room .*No space left on device/),
    expect.stringMatching(/^Free some hundred megabytes there/),
  ])
})

describe('a database that a newer version only added to', () => {
  it('is left as it is, and this version goes on with it [P21]', () =>
    withNewer('9999-to-come', async () => {
      for (const migrates of [true, false]) expect(await migrate(migrated.db, { migrates })).toEqual(['9999-to-come'])
      expect(await countRows()).toBe(names.length + 1)
    }))
})

describe('a server that may not migrate', () => {
  it('says what is missing and who brings it [P21]', async () => {
    expect(await migrate(migrated.db, { migrates: false })).toEqual([])
    await migrated.embedded?.query('delete from kysely_migration where name = $1', [last])
    expect(await refusal(migrated, { migrates: false })).toEqual([
      `The database is behind this version (${last}), and DMP_MIGRATE=0 keeps the server from migrating it.`,
      'Run npm run migrate with this version, then start the server again.',
    ])
    await migrated.embedded?.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [last, '2026'])
  })
})

describe('migrations of this version', () => {
  /** Released before earlier versions could go on with a newer database. */
  const lastOfBefore = '0026'
  const takesAway = /\bdrop (?:table|column|view|schema)\b|dropTable|dropColumn|\brename\b|renameTo|renameColumn/i

  it('take nothing away from earlier versions, unless their names say so [P21]', () => {
    const folder = new URL('./migrations/', import.meta.url)
    const found = readdirSync(folder)
      .filter((name) => /^\d{4}-/.test(name) && name.slice(0, 4) > lastOfBefore && isExpansion(name))
      .filter((name) => takesAway.test(readFileSync(new URL(name, folder), 'utf8')))
    expect(found).toEqual([])
    expect(takesAway.test(readFileSync(new URL('0008-sessions.ts', folder), 'utf8'))).toBe(true)
  })
})
