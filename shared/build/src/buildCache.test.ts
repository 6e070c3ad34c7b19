import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hashInputs, listStaleParts, markBuilt } from './buildCache.ts'
import type { Part } from './workspace.ts'

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
