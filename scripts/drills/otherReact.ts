import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { drawsBesideOthers } from '../../e2e/bench/otherReact.ts'
import { compile } from '../../shared/build/src/build.ts'
import { remoteConfig } from '../../shared/build/src/remoteConfig.ts'
import type { DrawnBy } from '../../shared/build/src/singletons.ts'
import type { Release } from '../../shared/contract/src/release.ts'
import { activate, publish, ReleaseRefused, type ReleaseStore } from '../../shared/release/src/index.ts'
import { measureWeight } from '../../shared/release/src/preflight/budgets.ts'
import { setTrust } from '../../shared/release/src/trust.ts'
import { root, writeFiles } from '../workspace/files.ts'

const part = 'remote-other'
const by = { by: 'a drill' }

/**
 * A part of another major version of React than the page has, really built with it (that of `e2e/package.json`): taken
 * from the page it is refused by name; brought along it works beside the others, and in a frame.
 */
export async function otherReact(
  context: Parameters<typeof drawsBesideOthers>[0],
  store: ReleaseStore,
): Promise<string[]> {
  // Beside the journeys, whose React it finds.
  const folder = join(root, 'e2e/.cache/other-react')
  try {
    const taken = await publishPart(store, folder, 'page')
    const refusal = await refusalOf(activate(store, { parts: [taken] }, by))
    const expected = new RegExp(`^${part} needs react \\^18\\.\\d+\\.\\d+; the host \\w+ provides 19\\.`)
    if (!expected.test(refusal)) throw new Error(`A part that takes React 18 from the page was refused for: ${refusal}`)
    const steps = [`A part that takes another React from the page is refused by name: ${refusal}`]

    const own = await publishPart(store, folder, 'own')
    await activate(store, { parts: [own] }, by)
    steps.push(`${await drawsBesideOthers(context, false)} ${sayWeight(own)}`)
    await setTrust(store, { part, isGuest: true }, by)
    steps.push(await drawsBesideOthers(context, true))
    await activate(store, { parts: [], remove: [part] }, by)
    return steps
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sayWeight = (release: Release): string => {
  const { entry, firstRoute } = measureWeight(release)
  return `Its first script weighs ${entry} bytes, its first page ${firstRoute} (brotli).`
}

async function refusalOf(going: Promise<unknown>): Promise<string> {
  try {
    await going
  } catch (error) {
    if (error instanceof ReleaseRefused) return error.incompatibilities.map(({ reason }) => reason).join(' ')
    throw error
  }
  throw new Error(`${part} went live.`)
}

async function publishPart(store: ReleaseStore, folder: string, react: DrawnBy): Promise<Release> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFiles(folder, sources(react))
  const configuration = remoteConfig(folder, { react })('production')
  await compile({ ...configuration, cache: false })
  return publish(store, join(folder, 'dist'), { commit: react })
}

const sources = (react: DrawnBy): Record<string, string> => ({
  'remote.json': JSON.stringify({
    name: part,
    title: 'Other',
    version: '1.0.0',
    routes: [{ prefix: '/other', guard: 'session' }],
    navigation: [
      { alias: 'Other', routerLink: '/other', fontAwesomeClass: 'fa-solid fa-atom', frontEndModule: true, order: 99 },
    ],
    cards: [],
    needs: { contract: '^1.12.0', kit: '^1.12.0' },
  }),
  'src/index.ts': `export { App } from './${react}'\n`,
  'src/page.ts': `import { createElement } from 'react'
export const App = () => createElement('h1', null, 'Other')
`,
  'src/own.ts': `import { businessUser } from '@dmp/contract'
import { call } from '@dmp/kit'
import { ownRoot } from '@dmp/kit/router'
import { createElement, useEffect, useState, version } from 'react'
import { createRoot } from 'react-dom/client'

const Other = ({ page }) => {
  const [count, setCount] = useState(0)
  const [users, setUsers] = useState(0)
  const [at, setAt] = useState(page.at())
  useEffect(() => page.follow(setAt), [page])
  useEffect(() => void call(businessUser.list, { page: 1 }).then(({ total }) => setUsers(total), page.fail), [page])
  return createElement('div', null,
    createElement('h1', null, 'Other of React ' + version),
    createElement('p', null, users + ' users at ' + at),
    createElement('button', { type: 'button', onClick: () => setCount(count + 1) }, 'Clicked ' + count),
    createElement('button', { type: 'button', onClick: () => page.go('/other/more?a=1') }, 'More'),
    createElement('button', { type: 'button', onClick: () => page.fail(new Error('It cannot go on.')) }, 'Fail'))
}

export const App = ownRoot((element, page) => {
  const root = createRoot(element)
  root.render(createElement(Other, { page }))
  return () => root.unmount()
})
`,
})
