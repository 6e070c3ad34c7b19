import { createRequire } from 'node:module'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Override } from '@dmp/contract/override'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { openFolderStore, type FolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'

const require = createRequire(import.meta.url)
const { JSDOM, VirtualConsole } = createRequire(require.resolve('jest-environment-jsdom'))('jsdom') as {
  JSDOM: { fromURL(url: string, options: object): Promise<{ window: Page }> }
  VirtualConsole: new () => { on(name: string, listen: (error: Error) => void): void }
}

/** What of a browser is used here; the server itself is compiled without. */
interface Tag {
  readonly textContent: string
  readonly form: { readonly method: string; readonly action: string }
  append(child: Tag): void
}
interface Page {
  readonly document: {
    readonly readyState: string
    readonly activeElement: Tag | null
    querySelector(selector: string): Tag | null
    createElement(name: string): Tag
  }
  readonly navigator: object
  readonly performance: object
  readonly FormData: new (form: Tag['form']) => Iterable<[string, string]>
  addEventListener(name: string, listen: (event: unknown) => void): void
}

const settings = { applicationName: 'DMP', apiRoot: '/api/', liveUrl: '/live' } as unknown as RuntimeSettings
const draws = "document.getElementById('root').append('here it is', document.createElement('p'))"
let store: FolderStore
let app: FastifyInstance
let overrides: Override[]
let host: string
/** Files of the host that the server loses. */
let isGone: boolean

async function serve(code: string): Promise<void> {
  store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-watch-')), 'releases'))
  const parts = await Promise.all([
    publish(store, aBuild('host', code), { commit: 'abc' }),
    publish(store, aBuild('remote-scan', "throw new Error('a remote')"), { commit: 'abc' }),
  ])
  host = parts[0].releaseId
  await activate(store, { parts: parts.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  overrides = []
  isGone = false
  // The browser would keep its lines open.
  app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', (request, reply, done) => {
    if (isGone && request.url.includes('/releases/host/')) void reply.code(404).send()
    else done()
  })
  registerGateway(app, { store, runtimeSettings: settings, readOverrides: async () => overrides })
  await app.listen({ port: 0, host: '127.0.0.1' })
}
afterEach(() => app.close())

/** The page in a browser, whose clock stands still until `wait` lets it run. */
async function open(over: Partial<Record<'onLine' | 'isAgain', boolean>> = {}) {
  const { port } = app.server.address() as { port: number }
  const waiting = new Map<number, { run: () => void; ms: number }>()
  const told: { address: string; seen: unknown }[] = []
  const loads: string[] = []
  const virtualConsole = new VirtualConsole()
  // It has no navigation, and says so where a page wants one.
  virtualConsole.on('jsdomError', ({ message }) => message.includes('navigation') && loads.push(message))
  const { window } = await JSDOM.fromURL(`http://127.0.0.1:${port}/scan?page=2`, {
    runScripts: 'dangerously',
    resources: 'usable',
    pretendToBeVisual: true,
    virtualConsole,
    beforeParse(page: Page) {
      const type = over.isAgain ? 'reload' : 'navigate'
      Object.assign(page.performance, { getEntriesByType: () => [{ type }] })
      let number = 0
      Object.assign(page, {
        setTimeout: (run: () => void, ms: number) => waiting.set((number += 1), { run, ms }) && number,
        clearTimeout: (id: number) => waiting.delete(id),
        Blob: class {
          constructor(parts: string[]) {
            Object.assign(this, { text: parts.join('') })
          }
        },
      })
      Object.defineProperty(page.navigator, 'onLine', { value: over.onLine ?? true })
      Object.assign(page.navigator, {
        sendBeacon: (address: string, body: { text: string }) =>
          told.push({ address, seen: (JSON.parse(body.text) as { seen: unknown }).seen }),
      })
    },
  })
  if (window.document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve))
  return {
    window,
    told,
    /** How often the page wanted to be loaded again by itself. */
    loads: () => loads.length,
    /** The time of the next timer that still runs. */
    wait: () => {
      const [next] = [...waiting].sort(([, a], [, b]) => a.ms - b.ms)
      if (next) waiting.delete(next[0])
      next?.[1].run()
      return next?.[1].ms ?? 0
    },
    said: () => window.document.querySelector('[role=alert]')?.textContent ?? null,
    button: () => window.document.querySelector('button'),
  }
}

describe('a host that does not start', () => {
  it('is no blank page: an override of it can be turned off by a button, with the keyboard [P26, P29]', async () => {
    await serve("throw new Error('broken')")
    overrides = [{ part: 'host', releaseId: host }]
    const { window, said, button, wait, told } = await open()
    expect(wait()).toBeLessThan(5000)
    expect(said()).toMatch(/^The application did not start.*Only in this browser.*: host 1\.0\.0\. Turn that off/)
    expect(button()?.textContent).toBe('Turn the override off')
    expect(window.document.activeElement).toBe(button())
    const { form } = button()!
    expect([form.method, new URL(form.action).pathname, [...new window.FormData(form)]]).toEqual([
      'get',
      '/scan',
      [['dmp-override', 'off']],
    ])
    // A page that somebody put something into says nothing about what others get.
    expect(told).toEqual([])
  })

  it('takes away the markup that stood before its code: nothing would answer there [P26, P99]', async () => {
    const markup =
      "const root = document.getElementById('root'); root.dataset.drawn = 'page'; root.append(document.createElement('p'), 'Login')"
    await serve(`${markup}; throw new Error('broken')`)
    const { window, said, told, wait } = await open()
    expect(window.document.querySelector('#root')?.textContent).toBe('Login')
    while (said() === null && wait() > 0);
    expect(said()).toMatch(/^The application did not start/)
    expect(window.document.querySelector('#root')?.textContent).toBe('')
    expect(told).toEqual([
      { address: '/api/Release/report', seen: [{ part: 'host', releaseId: host, what: 'evaluation' }] },
    ])
  })

  it.each([
    ['whose script does not come', draws, true, 'http'],
    ['that throws at its start', "throw new Error('broken')", false, 'evaluation'],
    [
      'that is refused something at its start',
      "dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: { stack: 'at ' + document.currentScript.src } }))",
      false,
      'evaluation',
    ],
    ['that draws nothing', '', false, 'timeout'],
  ])('%s is told to the server once, and to the person [P26, P31]', async (_which, code, gone, what) => {
    await serve(code)
    isGone = gone
    const { said, told, wait, button, loads } = await open({ isAgain: true })
    while (said() === null && wait() > 0);
    expect(loads()).toBe(0)
    expect(said()).toMatch(/^The application did not start.*Nothing that was saved is lost/)
    expect(button()?.textContent).toBe('Load the page again')
    expect(told).toEqual([{ address: '/api/Release/report', seen: [{ part: 'host', releaseId: host, what }] }])
  })

  it('whose script does not come is loaded again once, before anything is said or told [P26, P31]', async () => {
    await serve(draws)
    isGone = true
    const { said, told, wait, loads } = await open()
    expect([loads(), said()]).toEqual([0, null])
    expect(wait()).toBe(1000)
    expect([loads(), said(), told]).toEqual([1, null, []])
  })

  it('is not blamed without a network [P28]', async () => {
    await serve(draws)
    isGone = true
    const { said, told } = await open({ onLine: false })
    expect(said()).toContain('The application did not start')
    expect(told).toEqual([])
  })

  it('leaves telling to the host once that watches itself', async () => {
    await serve("document.getElementById('root').dataset.watched = ''; throw new Error('broken')")
    const { said, told, wait } = await open()
    wait()
    expect(said()).toContain('The application did not start')
    expect(told).toEqual([])
  })
})

describe('a host that starts', () => {
  it('is left alone, whatever a remote does', async () => {
    await serve(draws)
    const { said, told, wait, loads } = await open()
    expect(wait()).toBe(0)
    expect([said(), told, loads()]).toEqual([null, [], 0])
  })

  it('late takes the sentence away', async () => {
    await serve('')
    const { window, said, wait } = await open()
    while (said() === null && wait() > 0);
    expect(said()).toContain('The application did not start')
    window.document.querySelector('#root')!.append(window.document.createElement('p'))
    await Promise.resolve()
    expect(said()).toBeNull()
  })
})
