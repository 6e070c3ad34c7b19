import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { someSettings } from '@dmp/contract/examples'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { addDrawn, type DrawnPages } from '@dmp/release/drawn/drawnDocument'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { readRegistry, readSnapshot } from '@dmp/release/store/ReleaseStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const place = (name: string): string => `\u{E000}${name}\u{E001}`
const kinds = (word: string) => ({
  plain: `<p class="card">${word} ${place('company.name')}</p>`,
  demo: `<p class="card">${word} ${place('company.name')} with accounts</p>`,
})
const pages: DrawnPages = { '/login': { en: kinds('Login'), de: kinds('Anmelden'), ar: kinds('دخول') } }
const company = { ...someSettings({}).company, name: 'Ham & Eggs <b>' }
const style = '.card:not(.other){color:red}'
let app: FastifyInstance

/** A guest's address of the account, drawn with the host that is live. */
async function serve(over: Partial<RuntimeSettings> = {}, shown = pages, styles = style): Promise<void> {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-drawn-')), 'releases'))
  const account = aBuild('remote-account', ['/login', '/account'])
  const file = path.join(account, 'build.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"/login","guard":"session"', '"/login","guard":"guest"'))
  const built = aBuild('host', ['/dashboard'])
  writeFileSync(path.join(built, 'main.css'), styles)
  await put(store, built, account)
  const { host, remotes } = await readSnapshot(store, (await readRegistry(store))?.live ?? '')
  const releaseId = remotes[0]?.releaseId ?? ''
  await addDrawn(store, { part: 'remote-account', releaseId, host: host.releaseId, pages: shown })
  app = fastify()
  registerGateway(app, { store, runtimeSettings: someSettings({ company, ...over }) })
}
const visit = async (address: string, language = 'en'): Promise<string> =>
  (await app.inject({ url: address, headers: { 'accept-language': language } })).body
const drawn = async (address: string, language?: string): Promise<string | undefined> =>
  /<template id="dmp-drawn">(.*?)<\/template>/.exec(await visit(address, language))?.[1]

afterEach(() => app.close())

describe('a public page', () => {
  it('has its markup, with the server’s own words in it, in the language that the browser asks for [P99]', async () => {
    await serve()
    for (const address of ['/login', '/', '/login?next=1'])
      expect(await drawn(address)).toBe('<p class="card">Login Ham &amp; Eggs &lt;b&gt;</p>')
    expect(await drawn('/login', 'de-AT,de;q=0.9,en;q=0.8')).toContain('Anmelden')
    expect(await visit('/login', 'ar')).toContain('data-language="ar" data-direction="rtl"')
    // Nobody drew it in French: English would be another page than the code draws.
    expect(await drawn('/login', 'fr')).toBeUndefined()
  })

  it('shows it by a script of its own nonce, and is empty without scripts [P30, P99]', async () => {
    await serve()
    const { body, headers } = await app.inject('/login')
    const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    expect(body).toContain(`</template><script nonce="${nonce}" data-languages="en de ar" data-language="en"`)
    expect(body).toContain('<div id="root"></div>')
    expect(body).toContain('<noscript>')
  })

  it('of a demo has that of a demo; while something is still built it has none [P99]', async () => {
    await serve({ isDemo: true })
    expect(await drawn('/login')).toContain('with accounts')
    await app.close()
    await serve({ coming: ['the image viewer'] })
    expect(await drawn('/login')).toBeUndefined()
  })

  it('carries the styles of the host, as all pages do, and waits for no file of them [P99]', async () => {
    await serve()
    for (const address of ['/login', '/account']) {
      const body = await visit(address)
      expect(body).toContain(`>${style}</style>`)
      expect(body).not.toContain('<link rel="stylesheet"')
    }
  })

  it('waits for the file of a host whose styles name others [P99]', async () => {
    await serve({}, pages, `@font-face{src:url(face.woff2)}${style}`)
    const body = await visit('/login')
    expect(body).toMatch(/<link rel="stylesheet" href="\/releases\/host\/[0-9a-f]{16}\/main\.css" integrity/)
    expect(body).not.toContain('<style')
  })

  it('has none at other addresses, and none where a text of the server is empty [P99]', async () => {
    await serve({ company: { ...company, name: '' } })
    for (const address of ['/login', '/account', '/dashboard', '/constructor'])
      expect(await drawn(address)).toBeUndefined()
  })

  it.each(['constructor.caller', 'company.constructor.caller', 'constructor.name', 'apiRoot', 'company.none'])(
    'comes with its code where markup asks for what is no setting of pages: %s [P99]',
    async (name) => {
      const markup = `<p>${place(name)}</p>`
      await serve({}, { '/login': { en: { plain: markup, demo: markup } } })
      expect((await app.inject('/login')).statusCode).toBe(200)
      expect(await drawn('/login')).toBeUndefined()
      expect(await visit('/login')).toContain('<div id="root"></div>')
    },
  )
})
