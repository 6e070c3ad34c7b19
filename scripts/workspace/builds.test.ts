import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyAtomically, copyMissing } from './builds.ts'

it('leaves a release alone that another start on the folder published first [P21]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-builds-'))
  const [from, to] = [join(folder, 'built'), join(folder, 'served', 'viewer', '1')]
  for (const path of [from, to]) {
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'release.json'), path)
  }
  copyAtomically(from, to)
  expect(readdirSync(join(folder, 'served', 'viewer'))).toEqual(['1'])
  copyAtomically(from, join(folder, 'served', 'viewer', '2'))
  expect(existsSync(join(folder, 'served', 'viewer', '2', 'release.json'))).toBe(true)
})

it('says what is wrong when a release cannot be published for any other reason [P21]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-builds-'))
  expect(() => copyAtomically(join(folder, 'nothing'), join(folder, 'served', 'viewer', '1'))).toThrow(/ENOENT/)
})

it('brings the maps of a release along, also to one that was there without, and needs none [P84]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-builds-'))
  const [kept, served] = [join(folder, 'kept'), join(folder, 'served')]
  const [release, maps] = ['remote-scan/1', 'maps/remote-scan/1']
  mkdirSync(join(kept, release), { recursive: true })
  copyMissing([release, maps], kept, served)
  expect(readdirSync(served)).toEqual(['remote-scan'])
  mkdirSync(join(kept, maps), { recursive: true })
  copyMissing([release, maps], kept, served)
  expect(existsSync(join(served, maps))).toBe(true)
})
