import { createHash } from 'node:crypto'
import type { RemoteOnPage } from '@dmp/contract/release'
import type { Page, Route } from 'playwright/test'

/** One way in which a remote can be bad, and what the card then calls it. */
export interface Fault {
  readonly name: string
  readonly word: 'http' | 'timeout' | 'evaluation' | 'render' | 'integrity' | 'chunk' | 'contract'
  /** The replacement for the remote's files; without one, the request never ends. */
  readonly answer?: (route: Route, isEntry: boolean) => Promise<void>
  /** The release's own first script: released like this, so its hash is right. */
  readonly script?: (text: string, remote: RemoteOnPage) => string
  /** It is not what the page's hash names. */
  readonly isForged?: true
}

const toGlobalName = ({ declaration: { name } }: RemoteOnPage): string => name.replaceAll('-', '_')

/** A container whose screens throw until the page is told that they are well again. */
const throwsWhenDrawn = (text: string, remote: RemoteOnPage): string => `${text}
;(() => {
  const { init, get } = window.${toGlobalName(remote)}
  const isWell = () => (window.healed ?? []).includes('${remote.declaration.name}')
  const wrapped = (factory) => () => {
    const made = factory()
    const App = (props) => { if (!isWell()) throw new Error('thrown while drawing'); return made.App(props) }
    return { ...made, App }
  }
  const getWrapped = (module) => get(module).then((factory) => (module === './App' ? wrapped(factory) : factory))
  window.${toGlobalName(remote)} = { init, get: getWrapped }
})()`

/** Every way in which a remote can be bad that a page has to live with. */
export const faults: readonly Fault[] = [
  { name: 'is not there (404)', word: 'http', answer: (route) => route.fulfill({ status: 404, body: 'gone' }) },
  {
    name: 'answers with an error (500)',
    word: 'http',
    answer: (route) => route.fulfill({ status: 500, body: 'oops' }),
  },
  { name: 'never answers', word: 'timeout', answer: () => new Promise(() => undefined) },
  { name: 'is no script', word: 'evaluation', script: (text) => `${text}\n}{` },
  { name: 'throws when it starts', word: 'evaluation', script: () => "throw new Error('thrown at the start')" },
  { name: 'throws while it draws', word: 'render', script: throwsWhenDrawn },
  {
    name: 'is not the file that was released',
    word: 'integrity',
    script: (text) => `window.wasForged = true\n${text}`,
    isForged: true,
  },
  {
    name: 'lacks a piece after a redeploy',
    word: 'chunk',
    answer: (route, isEntry) => (isEntry ? route.fallback() : route.fulfill({ status: 404, body: 'gone' })),
  },
  {
    name: 'was made for an older contract',
    word: 'contract',
    script: (text) => text.replaceAll('"@dmp/kit/screen"', '"@dmp/kit/gone"'),
  },
]

export interface Broken {
  readonly remote: RemoteOnPage
  readonly fault: Fault
}

/** What pages tell of releases and of their errors. */
export const reports = /\/api\/release\/report(?:Errors)?$/i

/** These failures are no release's fault, so the watch over releases is not told. */
export const withholdReports = (page: Page): Promise<unknown> =>
  page.route(reports, (route) => route.fulfill({ json: { data: null } }))

/**
 * Breaks remotes for a page, at the network, before it is opened at the path. Returns a function that heals one of
 * them.
 *
 * @param path the address of the page that is opened: the hashes in it are made those of the released, bad scripts
 */
export async function breakRemotes(
  page: Page,
  path: string,
  broken: readonly Broken[],
): Promise<(remote: RemoteOnPage) => Promise<void>> {
  // What the page before is still loading would come broken to it, which knows the hashes of what is whole.
  await page.goto('about:blank')
  await withholdReports(page)
  const healed = new Set<string>()
  const hashes = new Map<string, string>()
  for (const { remote, fault } of broken) {
    const { name } = remote.declaration
    const original = fault.script ? await (await page.request.get(remote.entry)).text() : ''
    const script = fault.script?.(original, remote)
    if (script === original && fault.script) throw new Error(`${name} cannot be broken so that it ${fault.name}.`)
    // Either script is right: the bad one, and after the healing the good one.
    if (script !== undefined && !fault.isForged)
      hashes.set(remote.integrity, `${remote.integrity} sha384-${createHash('sha384').update(script).digest('base64')}`)
    // The same files are also under /releases/again/, where the page looks when a first request fails.
    await page.route(new RegExp(`/releases/(?:again/)?${name}/`), async (route) => {
      const isEntry = new URL(route.request().url()).pathname.endsWith(`/${remote.entry.split('/').at(-1)}`)
      if (healed.has(name)) return route.fallback()
      if (fault.answer) return fault.answer(route, isEntry)
      return isEntry ? route.fulfill({ contentType: 'text/javascript', body: script ?? '' }) : route.fallback()
    })
  }
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const body = [...hashes].reduce((html, [from, to]) => html.replaceAll(from, to), await response.text())
      const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers()
      return route.fulfill({ status: response.status(), headers, body })
    },
  )
  return async (remote) => {
    healed.add(remote.declaration.name)
    await page.evaluate(
      (name) =>
        Object.assign(window, { healed: [...((window as unknown as { healed?: string[] }).healed ?? []), name] }),
      remote.declaration.name,
    )
  }
}

/**
 * The faults of each page: each remote with each fault once, and on every page a remote that is well. A page has one
 * fault where it can, so that those that wait do so at the same time; the last pages gather what was left out as well.
 */
export function planPages(
  remotes: readonly RemoteOnPage[],
): { readonly well: RemoteOnPage; readonly broken: readonly Broken[] }[] {
  const wellAt = (index: number): RemoteOnPage => remotes[index % remotes.length] as RemoteOnPage
  const pages = faults.map((fault, index) => ({
    well: wellAt(index),
    broken: remotes.filter((remote) => remote !== wellAt(index)).map((remote) => ({ remote, fault })),
  }))
  const remaining = faults.map((fault, index) => ({ remote: wellAt(index), fault }))
  while (remaining.length > 0) {
    const well = wellAt(faults.indexOf((remaining.at(-1) as Broken).fault) + 1)
    const group = remaining.filter(
      ({ remote }, at) => remote !== well && remaining.findIndex((other) => other.remote === remote) === at,
    )
    for (const member of group) remaining.splice(remaining.indexOf(member), 1)
    pages.push({ well, broken: group })
  }
  return pages
}
