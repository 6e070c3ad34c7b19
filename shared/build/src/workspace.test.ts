import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadConfiguration } from './build.ts'
import { findLockFile, findWorkspace, listParts } from './workspace.ts'

const aFolder = (): string => mkdtempSync(path.join(tmpdir(), 'dmp-workspace-'))
const installed = (root: string): string => path.join(root, 'node_modules/@dmp/build/dist')

describe('the repository', () => {
  it('of an installed build is the one that is worked in: where the lock file lies', () => {
    const root = aFolder()
    const part = path.join(root, 'parts/remote-report')
    mkdirSync(part, { recursive: true })
    writeFileSync(path.join(part, 'package.json'), '{}')
    expect(findWorkspace(installed(root), part)).toBe(part)
    writeFileSync(path.join(root, 'package-lock.json'), '{}')
    expect(findWorkspace(installed(root), part)).toBe(root)
    expect(findLockFile(root)).toBe(path.join(root, 'package-lock.json'))
  })

  it('of the checkout is the checkout, wherever a command was called', () => {
    expect(findWorkspace('/checkout/shared/build/src', '/elsewhere')).toBe(path.resolve('/checkout'))
  })
})

describe('parts', () => {
  it('are the remotes in folders, and the repository itself where it is one', () => {
    const root = aFolder()
    writeFileSync(path.join(root, 'remote.json'), '{ "name": "remote-report" }')
    expect(listParts(root)).toEqual([])
    writeFileSync(path.join(root, 'webpack.config.mjs'), '')
    mkdirSync(path.join(root, 'remote-other'))
    writeFileSync(path.join(root, 'remote-other/webpack.config.ts'), '')
    mkdirSync(path.join(root, 'remote-without'))
    expect(listParts(root)).toEqual([
      { name: 'remote-other', folder: path.join(root, 'remote-other'), kind: 'remote' },
      { name: 'remote-report', folder: root, kind: 'remote' },
    ])
  })

  it.each([
    [
      'does not load',
      "throw new Error('no such tool')",
      /remote-report was not built: webpack.config.mjs does not load. no such tool/,
    ],
    ['exports something else', 'export default 42', /must export a configuration: export default remoteConfig/],
  ])('whose configuration %s are named', async (_what, source, sentence) => {
    const folder = aFolder()
    writeFileSync(path.join(folder, 'webpack.config.mjs'), source)
    await expect(loadConfiguration({ name: 'remote-report', folder, kind: 'remote' }, 'production')).rejects.toThrow(
      sentence,
    )
  })
})
