import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

  it('in a volume that belongs to another account is closed inside, and the server starts [P22]', () => {
    const volume = join(outside, 'volume')
    mkdirSync(join(volume, 'database'), { recursive: true })
    writeFileSync(join(volume, 'database/1'), 'x')
    for (const [path, mode] of [
      ['database/1', 0o666],
      ['database', 0o777],
      ['', 0o755],
    ] as const)
      chmodSync(join(volume, path), mode)
    const isRoot = process.getuid?.() === 0
    const nobody = 65_534
    if (isRoot) {
      // The other account has to reach the folder.
      for (const path of [dirname(outside), outside]) chmodSync(path, 0o711)
      for (const path of ['database/1', 'database']) chownSync(join(volume, path), nobody, nobody)
      process.seteuid?.(nobody)
    }
    try {
      makeFolderPrivate(volume)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
    expect([modeOf(join(volume, 'database')), modeOf(join(volume, 'database/1'))]).toEqual([0o700, 0o600])
    expect(modeOf(volume)).toBe(isRoot ? 0o755 : 0o700)
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
