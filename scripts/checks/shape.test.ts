import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readText } from '../workspace/files.ts'
import { createRemoteFiles } from '../workspace/newRemote.ts'
import { checkDocumentedSettings, insertTable } from './documentedSettings.ts'
import { checkRemote, checkShape, findMisnamed, findUnequalDependencies } from './shape.ts'

const remote = 'remote-report'
let checkout: string

const write = (file: string, text = ''): void => {
  mkdirSync(dirname(join(checkout, remote, file)), { recursive: true })
  writeFileSync(join(checkout, remote, file), text)
}
const remove = (file: string): void => rmSync(join(checkout, remote, file), { recursive: true })
const problems = (): string[] => checkRemote(remote, checkout)

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-shape-'))
  for (const [file, text] of Object.entries(createRemoteFiles(remote))) write(file, text)
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

describe('the shape of a remote', () => {
  it('is what npm run new makes', () => {
    expect(problems()).toEqual([])
  })

  it.each(['README.md', 'remote.json', 'src'])('lacks %s', (room) => {
    remove(room)
    expect(problems()).toContainEqual(expect.stringContaining(`${remote}/${room} is missing`))
  })

  it('has no room of its own, and says where things go', () => {
    write('services/report.ts')
    expect(problems()).toEqual([expect.stringContaining('what two remotes share to shared/kit')])
  })

  it('has only the route table beside its segments', () => {
    write('src/format.ts')
    expect(problems()).toEqual([expect.stringContaining(`${remote}/src/format.ts: only the route table stands here`)])
  })

  it('has a screen in every segment and a card in its dashboard', () => {
    write('src/detail/ReportTable.tsx')
    write('src/dashboard/ReportScreen.tsx')
    write('src/Detail_Page/ReportScreen.tsx')
    expect(problems().sort()).toEqual([
      expect.stringContaining('src/Detail_Page: folders are kebab-case'),
      expect.stringContaining('src/dashboard has no …Card.tsx'),
      expect.stringContaining('src/detail has no …Screen.tsx'),
    ])
  })

  it('ends its routes with the page for unknown addresses [2.37]', () => {
    write('src/App.tsx', 'export const App = () => <Routes></Routes>')
    expect(problems()).toEqual([expect.stringContaining('shows an empty page at an address that it does not know')])
  })

  it('is the same for all in what they depend on', () => {
    const dependencies = new Map([
      ['remote-a', 'react'],
      ['remote-b', 'react'],
      ['remote-c', 'lodash, react'],
    ])
    expect(findUnequalDependencies(dependencies)).toEqual([
      expect.stringContaining('remote-c depends on lodash, react, but remote-a on react'),
    ])
    expect(findUnequalDependencies(new Map())).toEqual(['There are no remotes.'])
  })

  it('is kept by every remote of this checkout', () => {
    expect(checkShape()).toEqual([])
  })
})

describe('names of files', () => {
  it.each(['server/src/utils.ts', 'host/src/common/date.ts', 'server/src/scan.service.ts'])(
    'say something: %s',
    (file) => {
      expect(findMisnamed(file, () => '')).toEqual([expect.stringContaining('the name says nothing')])
    },
  )

  it('are those of the only export, where it is a component', () => {
    const read = () => 'export function ShareModal() {}'
    expect(findMisnamed('host/src/ShareDialog.tsx', read)).toEqual([expect.stringContaining('exports only ShareModal')])
    expect(findMisnamed('host/src/ShareModal.tsx', read)).toEqual([])
    expect(findMisnamed('host/src/basics.tsx', read)).toEqual([])
    expect(findMisnamed('host/src/Two.tsx', () => 'export const A = 1\nexport const B = 2')).toEqual([])
  })
})

describe('the table of settings in docs/operations.md', () => {
  it('is what the server reads', () => {
    expect(checkDocumentedSettings()).toEqual([])
  })

  it('is put between its marks, and the rest of the page stays', () => {
    const page = readText('docs/operations.md')
    const outdated = page.replace(/^\| `DMP_.*\n/m, '')
    expect(outdated).not.toBe(page)
    expect(insertTable(outdated)).toBe(page)
    expect(insertTable('a page without marks')).toBeUndefined()
  })
})
