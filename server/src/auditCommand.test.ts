import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Migrator } from 'kysely/migration'
import { openDatabase, type Db } from './db/client.ts'
import { migrations } from './db/migrations/index.ts'
import { appendUnkeyed, asOwner, hashAnew, listRows } from './modules/audit/chainInTests.ts'
import { startChild, type Ended } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const production = {
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  DMP_DATA_DIR: folder,
}
const audit = (variables: Record<string, string> = {}, ...words: string[]): Promise<Ended> =>
  startChild({ ...production, ...variables }, 'admin.ts', ['audit', ...words]).ended
/** One start and stop of the server; returns its log. */
async function run(variables: Record<string, string> = {}): Promise<string> {
  const child = startChild({ ...production, ...variables })
  await child.ready
  child.process.kill('SIGTERM')
  return (await child.ended).out
}
async function inDatabase<T>(work: (db: Db) => Promise<T>, at = folder): Promise<T> {
  const database = await openDatabase({ kind: 'folder', folder: at })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

let log: string
beforeAll(async () => {
  // What a server of the version before left in its data folder.
  await inDatabase(async (db) => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateTo('0008-sessions')
    if (error !== undefined) throw error
    await appendUnkeyed(db, 'platform', 12)
  })
  log = await run()
})

describe('npm run admin -- audit', () => {
  it('walks what an earlier version wrote and what followed, compares the heads, and ends with 0 [P21, P24]', async () => {
    const { code, out, errors } = await audit()
    expect([code, errors]).toEqual([0, ''])
    expect(out).toMatch(/^Walked 13 records of 1 chain .* compared them with 1 head .*\nAll records are intact\.\n$/)
    expect(JSON.parse((await audit({}, '--json')).out)).toMatchObject({
      isIntact: true,
      rows: 13,
      heads: 1,
      breaks: [],
    })
    expect(log).toContain('"auditHead":{"chain":"platform","position":13')
  })

  it('verifies after a rotation of the keys, and says which one it misses [P24]', async () => {
    await inDatabase((db) => appendUnkeyed(db, 'platform', 1))
    await run({ DMP_AUDIT_KEYS: 'k'.repeat(40) })
    expect((await audit({ DMP_AUDIT_KEYS: 'k'.repeat(40) })).code).toBe(0)
    const { code, out } = await audit()
    expect([code, out]).toEqual([2, expect.stringMatching(/Record 15 was made with the key [0-9a-f]{12}, which this/)])
  })

  it('names the deleted newest records by the log alone, and ends with 2 [P24]', async () => {
    const keys = { DMP_AUDIT_KEYS: 'k'.repeat(40) }
    const saved = join(folder, 'saved.log')
    writeFileSync(saved, await run({ ...keys, DMP_AUDIT_HEADS: join(folder, 'elsewhere') }))
    await inDatabase((db) => asOwner(db, () => db.deleteFrom('audit').where('position', '>', 10).execute()))
    // Whoever deletes records deletes the file of heads too, if it is in reach.
    writeFileSync(join(folder, 'audit-heads.jsonl'), '')
    const unjudged = await audit(keys)
    expect([unjudged.code, unjudged.out]).toEqual([1, expect.stringContaining('No heads were found')])
    expect(unjudged.out).toContain('Not judged')
    expect(unjudged.out).not.toContain('are intact')
    const { out: json } = await audit(keys, '--json')
    expect(JSON.parse(json)).toMatchObject({ isIntact: false, isJudged: false, breakCount: 0 })
    const { code, out } = await audit(keys, '--heads', saved)
    expect([code, out]).toEqual([
      2,
      expect.stringContaining(
        'the platform (chain platform): The newest records were deleted: the chain had 15 records',
      ),
    ])
    expect(JSON.parse((await audit(keys, '--heads', saved, '--json')).out)).toMatchObject({
      isIntact: false,
      breaks: [{ chain: 'platform', kind: 'newest deleted', position: 11, upTo: 15 }],
    })
  })

  it('names another actor though everything was hashed anew, and a chain that is gone [P24]', async () => {
    const keys = { DMP_AUDIT_KEYS: 'k'.repeat(40) }
    await run(keys)
    await inDatabase((db) =>
      asOwner(db, async () => {
        await db.updateTable('audit').set({ actor_id: null, address: 'x' }).where('position', '=', 4).execute()
        await hashAnew(db, 'platform', 4, 2)
        expect((await listRows(db, 'platform')).length).toBe(11)
      }),
    )
    expect(await audit(keys)).toMatchObject({
      code: 2,
      out: expect.stringContaining('Record 4 was changed') as unknown,
    })
    await inDatabase((db) => asOwner(db, () => db.deleteFrom('audit').execute()))
    expect(await audit(keys)).toMatchObject({
      code: 2,
      out: expect.stringContaining('The whole chain was deleted: it had 11 records') as unknown,
    })
    expect(readFileSync(join(folder, 'audit-heads.jsonl'), 'utf8').trim().split('\n').length).toBeGreaterThan(0)
  })

  it('names a history without keys in an installation that was born with them, and never seals it [P24]', async () => {
    const born = join(folder, 'born')
    const here = { DMP_DATA_DIR: born }
    await run(here)
    expect((await audit(here)).code).toBe(1)
    // The whole past, forged, and the heads gone.
    await inDatabase((db) => appendUnkeyed(db, 'platform', 5), born)
    rmSync(join(born, 'audit-heads.jsonl'), { force: true })
    const forged = { code: 2, out: expect.stringMatching(/Walked 5 records.*Record 1 has no key/s) as unknown }
    expect(await audit(here)).toMatchObject(forged)
    expect(await run(here)).toContain('have no key although the chains have had keys')
    expect(await audit(here)).toMatchObject(forged)
  })

  it('judges nothing where there is no database or no such file, and ends with 1', async () => {
    const nowhere = await audit({ DMP_DATA_DIR: join(folder, 'nowhere') })
    expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('There is no database in')])
    const noFile = await audit({}, '--heads', join(folder, 'missing'))
    expect([noFile.code, noFile.errors]).toEqual([1, expect.stringContaining('There is no file')])
  })
})
