import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRemotes, root } from './files.ts'

/**
 * The files of a new remote, by path from its folder: the shape that every remote has, with one screen and its test.
 */
export function createRemoteFiles(name: string): Record<string, string> {
  const { segment, noun } = toNames(name)
  const like = listRemotes()[0]
  if (!like) throw new Error('There is no other remote to copy the structure from.')
  // Versions of what a remote stands on are the other remotes'.
  const copied = (file: string) => readFileSync(join(root, like, file), 'utf8').replaceAll(like, name)
  return {
    'package.json': copied('package.json'),
    'tsconfig.json': copied('tsconfig.json'),
    'webpack.config.ts': copied('webpack.config.ts'),
    'README.md': readme(name, segment, noun),
    'src/shared/records.test.tsx': records,
    ...createSources(name),
  }
}

/** Declaration, one screen and its test: the same in this repository and in one of a team's own. */
export function createSources(name: string): Record<string, string> {
  const { segment, noun } = toNames(name)
  return {
    'remote.json': `${JSON.stringify(declaration(name, segment, noun), null, 2)}\n`,
    'src/index.ts': "export { App } from './App.tsx'\n",
    'src/App.tsx': app(segment, noun),
    [`src/list/${noun}ListScreen.tsx`]: screen(noun),
    [`src/list/${noun}ListScreen.test.tsx`]: test(segment, noun),
  }
}

/** @example 'remote-image-report' → { segment: 'image-report', noun: 'ImageReport' } */
export function toNames(name: string): { segment: string; noun: string } {
  const segment = name.slice('remote-'.length)
  return { segment, noun: segment.replace(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase()) }
}

/** Everybody who is signed in sees it: a permission of its own is agreed on with the platform's team first. */

const declaration = (name: string, segment: string, noun: string) => ({
  name,
  title: noun,
  version: '1.0.0',
  routes: [{ prefix: `/${segment}`, guard: 'session' }],
  navigation: [
    {
      alias: noun,
      routerLink: `/${segment}`,
      fontAwesomeClass: 'fa-solid fa-clipboard-list',
      frontEndModule: true,
      order: 80,
    },
  ],
  cards: [],
  needs: { contract: '^1.1.0', kit: '^1.2.0' },
})

const readme = (name: string, segment: string, noun: string) => `# ${noun}

| address | screen |
|---|---|
| \`/${segment}\` | \`src/list/\` |

Its routes and navigation entry are declared in \`remote.json\`; without \`module\` and \`action\` everybody who is
signed in sees the entry. A call or a permission of its own is a change of \`shared/contract\` and of the server.
Develop it alone with \`npm run dev -- ${name}\`, test it with \`npm test -- ${name}\`, ship it with
\`npm run release -- ${name}\` ([releasing](../docs/releasing.md)).
`

const app = (segment: string, noun: string) => `import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { ${noun}ListScreen } from './list/${noun}ListScreen.tsx'

export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/${segment}" element={<${noun}ListScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
`

const screen = (noun: string) => `import { Screen, Section } from '@dmp/kit/screen'

export function ${noun}ListScreen() {
  return (
    <Screen title="${noun}" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}>
      <Section title="${noun}">There is nothing here yet.</Section>
    </Screen>
  )
}
`

const test = (segment: string, noun: string) => `import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

describe('${segment} list', () => {
  it('has its heading', async () => {
    renderScreen(<App notFound={null} />, { at: '/${segment}', as: 'admin' })
    expect(await screen.findByRole('heading', { level: 1, name: '${noun}' })).toBeInTheDocument()
  })
})
`

const records = `import { recordScreens } from '@dmp/kit/records'
import { App } from '../App.tsx'

recordScreens({ App })
`
