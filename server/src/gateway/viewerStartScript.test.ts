import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway, type ServedPage } from './gateway.ts'

const require = createRequire(import.meta.url)
const { JSDOM, VirtualConsole } = createRequire(require.resolve('jest-environment-jsdom'))('jsdom') as {
  JSDOM: { fromURL(url: string, options: object): Promise<{ window: Page }> }
  VirtualConsole: new () => object
}

/** What of a browser is used here; the server itself is compiled without. */
interface Page {
  readonly document: { readonly readyState: string }
  readonly navigator: object
  addEventListener(name: string, listen: (event: unknown) => void): void
  eval(code: string): void
}
interface Observed {
  readonly part: string
  readonly releaseId: string
  readonly what: string
  readonly ms?: number
}

const settings = { applicationName: 'DMP', apiRoot: '/api/', liveUrl: '/live' } as unknown as RuntimeSettings
const draws = "document.getElementById('root').append(document.createElement('main'))"
let app: FastifyInstance
let viewer: string
let served: ServedPage[]
let isOverridden: boolean
/** Files of the viewer that the server loses. */
let isGone: boolean

async function serve(code: string): Promise<void> {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-watch-')), 'releases'))
  const parts = await Promise.all([
    publish(store, aBuild('host', ''), { commit: 'abc' }),
    publish(store, aBuild('viewer', code), { commit: 'abc' }),
  ])
  viewer = parts[1].releaseId
  await activate(store, { parts: parts.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  served = []
  isOverridden = false
  isGone = false
  // The browser would keep its lines open.
  app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', (request, reply, done) => {
    if (isGone && request.url.includes('/releases/viewer/')) void reply.code(404).send()
    else done()
  })
  registerGateway(app, {
    store,
    runtimeSettings: settings,
    pageServed: (_request, _reply, page) => served.push(page),
    readOverrides: async () => (isOverridden ? [{ part: 'viewer', releaseId: viewer }] : []),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
}
afterEach(() => app.close())

/** The page in a browser, after all of its files came or did not. */
async function open() {
  const { port } = app.server.address() as { port: number }
  const told: { address: string; seen: Observed[] }[] = []
  const { window } = await JSDOM.fromURL(`http://127.0.0.1:${port}/viewer/?study=1`, {
    runScripts: 'dangerously',
    resources: 'usable',
    virtualConsole: new VirtualConsole(),
    beforeParse(page: Page) {
      Object.assign(page, {
        setTimeout: () => 0,
        Blob: class {
          constructor(parts: string[]) {
            Object.assign(this, { text: parts.join('') })
          }
        },
      })
      Object.defineProperty(page.navigator, 'onLine', { value: true })
      Object.assign(page.navigator, {
        sendBeacon: (address: string, body: { text: string }) =>
          told.push({ address, seen: (JSON.parse(body.text) as { seen: Observed[] }).seen }),
      })
    },
  })
  if (window.document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve))
  return { window, told }
}
const whatOf = (told: { seen: Observed[] }[]): string[] => told.flatMap(({ seen }) => seen.map(({ what }) => what))

it('says that the viewer is there, of a page that was counted for it', async () => {
  await serve(draws)
  const { told } = await open()
  expect(told).toEqual([
    {
      address: '/api/Release/report',
      seen: [{ part: 'viewer', releaseId: viewer, what: 'loaded', ms: expect.any(Number) }],
    },
  ])
  expect(Number.isInteger(told[0]?.seen[0]?.ms)).toBe(true)
  expect(served).toEqual([{ releases: [{ part: 'viewer', releaseId: viewer }], needed: [] }])
})

it.each([
  ['whose script does not come', draws, true, 'http'],
  ['that throws at its start', "throw new Error('broken')", false, 'evaluation'],
])('tells of a viewer %s', async (_which, code, gone, what) => {
  await serve(code)
  isGone = gone
  expect(whatOf((await open()).told)).toEqual([what])
})

it('tells once of what goes wrong later, and not of what others throw', async () => {
  await serve(`${draws}; window.later = () => { throw new Error('later') }`)
  const { window, told } = await open()
  window.eval("dispatchEvent(new ErrorEvent('error', { error: new Error('an extension'), filename: 'other.js' }))")
  expect(whatOf(told)).toEqual(['loaded'])
  const throwing = `try { later() } catch (error) { dispatchEvent(new ErrorEvent('error', { error })) }`
  window.eval(`${throwing}; ${throwing}`)
  expect(whatOf(told)).toEqual(['loaded', 'error'])
})

it('says nothing of a viewer that only this browser gets', async () => {
  await serve(draws)
  isOverridden = true
  expect((await open()).told).toEqual([])
  expect(served).toEqual([])
})
