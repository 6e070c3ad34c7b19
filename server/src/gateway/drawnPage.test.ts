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
  plain: `<p>${word} ${place('company.name')}</p>`,
  demo: `<p>${word} ${place('company.name')} with accounts</p>`,
})
const pages: DrawnPages = { '/login': { en: kinds('Login'), de: kinds('Anmelden'), ar: kinds('دخول') } }
const company = { ...someSettings({}).company, name: 'Ham & Eggs <b>' }
let app: FastifyInstance

/** A guest's address of the account, drawn with the host that is live. */
async function serve(over: Partial<RuntimeSettings> = {}): Promise<void> {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-drawn-')), 'releases'))
  const account = aBuild('remote-account', ['/login', '/account'])
  const file = path.join(account, 'build.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"/login","guard":"session"', '"/login","guard":"guest"'))
  await put(store, aBuild('host', ['/dashboard']), account)
  const { host, remotes } = await readSnapshot(store, (await readRegistry(store))?.live ?? '')
  const releaseId = remotes[0]?.releaseId ?? ''
  await addDrawn(store, { part: 'remote-account', releaseId, host: host.releaseId, pages })
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
      expect(await drawn(address)).toBe('<p>Login Ham &amp; Eggs &lt;b&gt;</p>')
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

  it('has none at other addresses, and none where a text of the server is empty [P99]', async () => {
    await serve({ company: { ...company, name: '' } })
    for (const address of ['/login', '/account', '/dashboard', '/constructor'])
      expect(await drawn(address)).toBeUndefined()
  })
})
