import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../db/embedded.ts'
import { makeFolderPrivate } from './privateFolder.ts'

const outside = mkdtempSync(join(tmpdir(), 'dmp-private-'))
let folder = join(outside, 'data')
const previousUmask = process.umask()
afterAll(() => {
  process.umask(previousUmask)
  rmSync(outside, { recursive: true, force: true })
})

const modeOf = (path: string): number => statSync(path).mode & 0o777
const listReadableByOthers = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (modeOf(path) & 0o077) !== 0)

describe('the data folder', () => {
  it('and what earlier releases left in it open to other accounts is closed at start [P22, P24]', () => {
    for (const path of ['database/base', 'uploads', 'objects/a']) mkdirSync(join(folder, path), { recursive: true })
    for (const path of ['database/base/1', 'uploads/1', 'objects/a/1', 'demo-keys.json'])
      writeFileSync(join(folder, path), 'x')
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chmodSync(join(folder, path), statSync(join(folder, path)).isDirectory() ? 0o777 : 0o666)
    chmodSync(folder, 0o755)
    const elsewhere = join(outside, 'elsewhere')
    writeFileSync(elsewhere, 'x')
    chmodSync(elsewhere, 0o644)
    symlinkSync(elsewhere, join(folder, 'link'))

    makeFolderPrivate(folder)
    expect([modeOf(folder), listReadableByOthers()]).toEqual([0o700, []])
    expect([modeOf(join(folder, 'uploads/1')), modeOf(join(folder, 'objects/a'))]).toEqual([0o600, 0o700])
    expect(modeOf(elsewhere)).toBe(0o644)
  })

  it('gets new files, also of the embedded database, that nobody else can read [P22, P24]', async () => {
    folder = join(outside, 'new')
    makeFolderPrivate(folder)
    const database = await openEmbedded(folder)
    await database.exec('create table marks (n int); insert into marks values (1)')
    await database.close()
    writeFileSync(join(folder, 'new'), 'x')
    expect(readdirSync(join(folder, 'database')).length).toBeGreaterThan(10)
    expect(listReadableByOthers()).toEqual([])
  })
})
