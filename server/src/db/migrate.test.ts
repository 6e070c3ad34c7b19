import { openDatabase, type Database } from './client.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

let database: Database
beforeEach(async () => {
  database = await openDatabase({ kind: 'memory' })
})
afterEach(() => database.close())

const refusal = async (): Promise<readonly string[]> =>
  ((await migrate(database.db).catch((cause: unknown) => cause)) as { sentences: readonly string[] }).sentences
const cure = 'Start the version that wrote it, or restore a backup and try again.'

describe('a database that cannot be brought to this version', () => {
  it('is named with the step that failed and why, and that step left nothing behind [P21]', async () => {
    const [, second = ''] = Object.keys(migrations).sort()
    await migrate(database.db)
    await database.embedded?.query('delete from kysely_migration where name >= $1', [second])
    expect(await refusal()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The database could not be migrated to this version: ${second} failed \\(.*already exists.*\\)\\. It changed nothing\\.$`,
        ),
      ),
      cure,
    ])
  })

  it('is one that a newer version wrote, too [P21]', async () => {
    await migrate(database.db)
    await database.embedded?.query(
      "insert into kysely_migration (name, timestamp) values ('9999-to-come', '2099-01-01')",
    )
    expect(await refusal()).toEqual([
      expect.stringMatching(/^The database does not match this version \(.*9999-to-come.*\)\.$/),
      cure,
    ])
  })
})
