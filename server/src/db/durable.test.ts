import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles, durableStart } from './embeddedFiles.ts'
import { lockFolder } from './folderLock.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-durable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the embedded database', () => {
  it('syncs every commit to the disk, and finds it after opening again [P20]', async () => {
    const files = new DurableFiles(join(folder, 'database'))
    const database = await PGlite.create({ fs: files, startParams: durableStart })
    await database.exec('create table marks (n int)')
    const before = files.syncs
    for (let n = 0; n < 50; n += 1) await database.query('insert into marks values ($1)', [n])
    expect(files.syncs - before).toBeGreaterThanOrEqual(50)
    await database.close()
    const again = await PGlite.create({ fs: new DurableFiles(join(folder, 'database')), startParams: durableStart })
    expect((await again.query<{ count: number }>('select count(*)::int as count from marks')).rows[0]?.count).toBe(50)
    await again.close()
  })

  it('is opened by one server at a time [P21]', () => {
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(
      `Another server (process ${process.pid}) is using the data folder ${folder}. Stop it first, or name another folder with DMP_DATA_DIR.`,
    )
    unlock()
    lockFolder(folder)()
    expect(readdirSync(folder)).not.toContain('lock-owner.json')
  })
})
