import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hashInputs, listStaleParts, markBuilt } from './buildCache.ts'
import { hashToolchain, listTools } from './toolchain.ts'
import { workspace, type Part } from './workspace.ts'

function aPart(): Part {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-part-'))
  mkdirSync(path.join(folder, 'src'))
  mkdirSync(path.join(folder, 'dist'))
  writeFileSync(path.join(folder, 'src/App.tsx'), 'export const App = () => null\n')
  writeFileSync(path.join(folder, 'remote.json'), '{}')
  return { name: path.basename(folder), folder, kind: 'remote' }
}

describe('what has to be built', () => {
  it('is a part that was never built, and not one whose output was made from what is there', () => {
    const part = aPart()
    expect(listStaleParts([part], 'production')).toEqual([part])
    markBuilt(part, hashInputs(part, 'production'))
    expect(listStaleParts([part], 'production')).toEqual([])
  })

  it.each([
    ['a changed source', 'src/App.tsx'],
    ['a new source', 'src/list/UserListScreen.tsx'],
    ['a changed declaration', 'remote.json'],
  ])('is a part with %s', (_what, file) => {
    const part = aPart()
    markBuilt(part, hashInputs(part, 'production'))
    mkdirSync(path.dirname(path.join(part.folder, file)), { recursive: true })
    writeFileSync(path.join(part.folder, file), '{ "changed": true }')
    expect(listStaleParts([part], 'production')).toEqual([part])
  })

  it('is not a part whose files were only touched, or whose tests changed', () => {
    const part = aPart()
    markBuilt(part, hashInputs(part, 'production'))
    utimesSync(path.join(part.folder, 'src/App.tsx'), 1, 1)
    writeFileSync(path.join(part.folder, 'src/App.test.tsx'), 'it("changed")')
    expect(listStaleParts([part], 'production')).toEqual([])
  })

  it('is everything when another mode is asked for', () => {
    const part = aPart()
    markBuilt(part, hashInputs(part, 'production'))
    expect(listStaleParts([part], 'development')).toEqual([part])
  })
})

describe('what a build is made from', () => {
  /** A workspace with a remote and the sources that parts share. */
  function createWorkspace() {
    const root = mkdtempSync(path.join(tmpdir(), 'dmp-workspace-'))
    const write = (file: string, text: string): void => {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      writeFileSync(path.join(root, file), text)
    }
    for (const file of ['shared/kit/src/ui.ts', 'shared/contract/src/index.ts', 'remote-a/src/App.tsx'])
      write(file, '1')
    const hash = (kind: Part['kind']) =>
      hashInputs({ name: 'remote-a', folder: path.join(root, 'remote-a'), kind }, 'production', {}, root)
    return { root, write, hash }
  }

  // The viewer takes keys and texts from the kit.
  it.each(['shared/kit/src/ui.ts', 'shared/contract/src/index.ts', 'shared/kit/package.json'])(
    'includes %s for every part',
    (file) => {
      const { write, hash } = createWorkspace()
      const before = (['remote', 'host', 'viewer'] as const).map(hash)
      write(file, '2')
      const after = (['remote', 'host', 'viewer'] as const).map(hash)
      expect(after.map((each, index) => each === before[index])).toEqual([false, false, false])
    },
  )

  it('includes where a file lies, and that one is gone', () => {
    const { root, write, hash } = createWorkspace()
    const original = hash('remote')
    write('remote-a/src/list/App.tsx', '1')
    rmSync(path.join(root, 'remote-a/src/App.tsx'))
    expect(hash('remote')).not.toBe(original)
  })

  it('is the same in another checkout', () => {
    expect(createWorkspace().hash('remote')).toBe(createWorkspace().hash('remote'))
  })

  it('is read again only where time or size differ', () => {
    const part = aPart()
    const file = path.join(part.folder, 'src/App.tsx')
    const fileHashes = {}
    const original = hashInputs(part, 'production', fileHashes)
    utimesSync(file, 1, 1)
    expect(hashInputs(part, 'production', fileHashes)).toBe(original)
    writeFileSync(file, readFileSync(file, 'utf8').replace('null', 'void'))
    utimesSync(file, 1, 1)
    expect(hashInputs(part, 'production', fileHashes)).toBe(original)
    utimesSync(file, 2, 2)
    expect(hashInputs(part, 'production', fileHashes)).not.toBe(original)
  })
})

describe('the toolchain', () => {
  const write = (folder: string, name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }

  it('is another one when a lock file or a tool changes', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dmp-tools-'))
    const files = [write(folder, 'pnpm-lock.yaml', 'react: 19.0.0'), write(folder, 'baseConfig.ts', 'one')]
    const hashes = [hashToolchain(files)]
    write(folder, 'pnpm-lock.yaml', 'react: 19.0.1')
    hashes.push(hashToolchain(files))
    write(folder, 'baseConfig.ts', 'two')
    hashes.push(hashToolchain(files))
    expect(new Set(hashes).size).toBe(3)
  })

  it('is the same when the lock file gains a remote, so that nobody else is built anew', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dmp-lock-'))
    const lock = readFileSync(path.join(workspace, 'pnpm-lock.yaml'), 'utf8')
    const importer = (name: string) => `  ${name}:\n    dependencies:\n      react:\n        specifier: 19.3.1\n\n`
    const hashOf = (text: string) => hashToolchain([write(folder, 'pnpm-lock.yaml', text)])
    const before = hashOf(lock)
    const at = lock.indexOf('  remote-user:\n')
    expect(at).toBeGreaterThan(0)
    expect(hashOf(lock.slice(0, at) + importer('remote-report') + lock.slice(at))).toBe(before)
    expect(hashOf(lock.slice(0, at) + importer('viewer-report') + lock.slice(at))).not.toBe(before)
    expect(hashOf(lock.replace(/^packages:\n/m, 'packages:\n\n  remote-package@1.0.0:\n'))).not.toBe(before)
  })

  it('does not include its own tests', () => {
    const tools = listTools(import.meta.dirname).map((file) => path.basename(file))
    expect(tools).toEqual(expect.arrayContaining(['baseConfig.ts', 'buildCache.ts', 'federation.ts']))
    expect(tools.filter((file) => file.endsWith('.test.ts'))).toEqual([])
  })
})
