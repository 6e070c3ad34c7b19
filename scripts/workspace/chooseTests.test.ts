import { chooseTests } from './chooseTests.ts'
import { linkImports, readImportGraph, type ImportGraph } from './importGraph.ts'
import { root } from './files.ts'

const sources = new Map([
  ['shared/contract/src/limits.ts', 'export const limit = 1'],
  ['shared/contract/src/limits.test.ts', "import { limit } from './limits.ts'"],
  ['shared/kit/src/table.tsx', "import { limit } from '@dmp/contract/limits'"],
  ['shared/kit/src/table.test.tsx', "import './table.tsx'"],
  ['shared/kit/src/dates.test.ts', 'it()'],
  ['remote-scan/src/list/List.tsx', "import { Table } from '@dmp/kit/table'"],
  ['remote-scan/src/list/List.test.tsx', "import { List } from './List.tsx'"],
  ['remote-scan/src/detail/Detail.test.tsx', "jest.mock('../list/List.tsx')"],
  ['remote-scan/src/dates.test.ts', 'it()'],
  ['remote-user/src/User.test.tsx', 'it()'],
  ['server/src/app.ts', 'export const app = 1'],
  ['server/src/app.test.ts', "import { app } from './app.ts'"],
  ['server/src/main.test.ts', "spawn('main.ts'); read('docs/operations.md')"],
  ['scripts/checks/rules.test.ts', 'it()'],
  ['e2e/scan.e2e.ts', "goto('/scan')"],
  ['e2e/visual.e2e.ts', "import { states } from './support/states.ts'"],
  ['e2e/complaint.e2e.ts', "goto('/complaint')"],
])
const packages = new Map([
  ['@dmp/contract', { folder: 'shared/contract', exports: { './*': './src/*.ts' } }],
  ['@dmp/kit', { folder: 'shared/kit', exports: { './*': './src/*.tsx' } }],
])
const graph: ImportGraph = { sources, users: linkImports(sources, packages) }
const allTests = [...sources.keys()].filter((file) => file.includes('.test.')).sort()
const choose = (...files: string[]) => {
  const { web, node, journeys, foundation } = chooseTests(files, graph)
  return { tests: [...web, ...node].sort(), journeys, foundation }
}
const ofScripts = 'scripts/checks/rules.test.ts'

describe('a change chooses the tests', () => {
  it('that reach it by imports and mocks, in every package', () => {
    expect(choose('shared/contract/src/limits.ts').tests).toEqual(
      [
        'remote-scan/src/detail/Detail.test.tsx',
        'remote-scan/src/list/List.test.tsx',
        ofScripts,
        'shared/contract/src/limits.test.ts',
        'shared/kit/src/table.test.tsx',
      ].sort(),
    )
  })

  it('that named a file which is not there any more', () => {
    const left = new Map([...sources].filter(([file]) => file !== 'remote-scan/src/list/List.tsx'))
    const { web } = chooseTests(['remote-scan/src/list/List.tsx'], {
      sources: left,
      users: linkImports(left, packages),
    })
    expect(web).toEqual(['remote-scan/src/detail/Detail.test.tsx', 'remote-scan/src/list/List.test.tsx'])
  })

  it('itself, where it is a test, and those of scripts, which look at all sources', () => {
    expect(choose('remote-user/src/User.test.tsx')).toEqual({
      tests: ['remote-user/src/User.test.tsx', ofScripts].sort(),
      journeys: [],
      foundation: undefined,
    })
  })

  it('of the whole package, where imports do not say what stands on it', () => {
    const ofScan = allTests.filter((test) => test.startsWith('remote-scan/'))
    for (const file of ['remote-scan/src/list/list.css', 'remote-scan/src/locales/de.json'])
      expect(choose(file).tests).toEqual([...ofScan, ofScripts].sort())
    expect(choose('server/src/app.ts').tests).toEqual(
      ['server/src/app.test.ts', 'server/src/main.test.ts', ofScripts].sort(),
    )
    expect(choose('shared/kit/src/kit.css').tests).toEqual(allTests)
  })

  it('that read texts, for a text', () => {
    for (const file of ['docs/operations.md', 'README.md'])
      expect(choose(file)).toEqual({
        tests: [ofScripts, 'server/src/main.test.ts'],
        journeys: [],
        foundation: undefined,
      })
  })

  it.each([
    'package.json',
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'jest.config.mjs',
    '.node-version',
    '.ci/run',
    'remote-scan/package.json',
    'remote-scan/remote.json',
    'server/tsconfig.json',
    'shared/build/src/webpack.ts',
    'scripts/jest/nodeSetup.mjs',
    'scripts/workspace/chooseTests.ts',
    'scripts/commands/test.ts',
  ])('all, and all journeys, for %s, on which everything stands', (file) => {
    expect(choose('docs/operations.md', file)).toEqual({ tests: allTests, journeys: 'all', foundation: file })
  })

  it('all, and the journeys that only look, where nothing has changed', () => {
    expect(choose()).toEqual({ tests: allTests, journeys: 'smoke', foundation: undefined })
  })
})

describe('a change chooses the journeys', () => {
  it('that speak of a remote or go through all pages, for what shows on its own pages', () => {
    expect(choose('remote-scan/src/list/List.tsx').journeys).toEqual(['e2e/scan.e2e.ts', 'e2e/visual.e2e.ts'])
  })

  it('that it stands in itself, and those that compare a picture', () => {
    expect(choose('e2e/complaint.e2e.ts').journeys).toEqual(['e2e/complaint.e2e.ts'])
    expect(choose('e2e/looks/scan-1280-dark.png').journeys).toEqual(['e2e/visual.e2e.ts'])
  })

  it.each(['server/src/app.ts', 'shared/kit/src/table.tsx', 'host/src/shell.tsx', 'e2e/support/page.ts'])(
    'all, for %s',
    (file) => {
      expect(choose('remote-user/src/User.test.tsx', file).journeys).toBe('all')
    },
  )
})

describe('in this checkout', () => {
  const real = readImportGraph(root)

  it('a screen of a remote has tests of its package and none of the server’s', () => {
    const { web, node, journeys } = chooseTests(['remote-complaint/src/list/ComplaintListScreen.tsx'], real)
    expect(web).toContain('remote-complaint/src/list/ComplaintListScreen.test.tsx')
    expect(node.filter((test) => !test.startsWith('scripts/'))).toEqual([])
    expect(journeys).toEqual(
      expect.arrayContaining(['e2e/complaint.e2e.ts', 'e2e/visual.e2e.ts', 'e2e/accessibility.e2e.ts']),
    )
  })

  it('a part of the server has all tests of the server, and all journeys', () => {
    const { node, journeys } = chooseTests(['server/src/modules/complaint/complaint.ts'], real)
    expect(node.filter((test) => test.startsWith('server/'))).toEqual(
      [...real.sources.keys()].filter((file) => /^server\/.*\.test\.ts$/.test(file)).sort(),
    )
    expect(journeys).toBe('all')
  })

  it('the limits of the contract have tests of contract, kit, remotes and server', () => {
    const { web, node } = chooseTests(['shared/contract/src/limits.ts'], real)
    const parts = new Set([...web, ...node].map((test) => test.replace(/\/src\/.*/, '')))
    expect([...parts]).toEqual(expect.arrayContaining(['shared/contract', 'shared/kit', 'remote-scan', 'server']))
  })
})
