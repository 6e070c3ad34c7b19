import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { PageSnapshot } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { rollback } from '@dmp/release/activate'
import { openFolderStore, type FolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, code, put } from './testing/builds.ts'

const settings = {
  applicationName: 'Data Management Platform',
  apiRoot: '/api',
  liveUrl: '/live',
  company: { name: 'A </script><script>alert(1)</script> & Co' },
} as unknown as RuntimeSettings

let store: FolderStore
let app: FastifyInstance

beforeEach(async () => {
  store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-gateway-')), 'releases'))
  app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  app.get('/api/hello', () => ({ data: 1 }))
  await app.ready()
})
afterEach(() => app.close())

const live = () =>
  put(
    store,
    aBuild('host', ['/dashboard', '/terms']),
    aBuild('remote-scan', ['/scan']),
    aBuild('remote-user', ['/user']),
  )
const block = (html: string, id: string): unknown =>
  JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(html)?.[1] ?? 'null')
const scripts = (html: string): string[] =>
  [...html.matchAll(/<script (\w+) src="\/releases\/([\w-]+)\/[0-9a-f]{16}\/([\w.]+)"/g)].map(
    ([, order, name, file]) => `${order} ${name}/${file}`,
  )

describe('the page', () => {
  it('carries the runtime settings and the snapshot, whatever characters are in them [P30]', async () => {
    await live()
    const { body } = await app.inject('/scan')
    expect(block(body, 'dmp-settings')).toEqual(settings)
    const snapshot = block(body, 'dmp-snapshot') as PageSnapshot
    expect(snapshot.remotes.map(({ declaration }) => declaration.name)).toEqual(['remote-scan', 'remote-user'])
    expect(body).not.toContain('<script>alert(1)')
  })

  it('asks at once for exactly what the address needs: host, then the remote, its screens and the shared parts they take', async () => {
    await live()
    const html = (await app.inject('/scan/detail/1/2?x=1')).body
    expect(scripts(html)).toEqual([
      'defer host/main.js',
      'defer remote-scan/remoteEntry.js',
      'async remote-scan/App.js',
      'async host/table.js',
    ])
    expect(scripts((await app.inject('/dashboard')).body)).toEqual(['defer host/main.js'])
  })

  it('gives every script and style its hash', async () => {
    await live()
    const tags =
      (await app.inject('/scan')).body.match(/<(?:script (?:defer|async)|link rel="stylesheet")[^>]*>/g) ?? []
    expect(tags).toHaveLength(4)
    for (const tag of tags) expect(tag).toMatch(/integrity="sha384-[A-Za-z0-9+/]{64}"/)
  })

  it('has a strict policy with a fresh nonce each time, and the headers that keep other sites out [P30]', async () => {
    await live()
    const [one, two] = [await app.inject('/scan'), await app.inject('/scan')]
    const policy = String(one.headers['content-security-policy'])
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(one.body).toContain(`nonce="${nonce}"`)
    expect(String(two.headers['content-security-policy'])).not.toContain(nonce)
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe-|\*/)
    expect(one.headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  })

  it('is a 404 where no part owns the address, and the API and the releases keep their own answers [2.30]', async () => {
    await live()
    expect((await app.inject('/nowhere')).statusCode).toBe(404)
    expect((await app.inject('/nowhere')).body).toContain('id="root"')
    expect((await app.inject('/scanner')).statusCode).toBe(404)
    expect((await app.inject('/')).statusCode).toBe(200)
    expect((await app.inject('/terms')).statusCode).toBe(200)
    expect((await app.inject('/api/hello')).json()).toEqual({ data: 1 })
    for (const address of ['/api/nothing', '/releases/nothing', '/dicom-web/studies', '/viewer/']) {
      const answer = await app.inject(address)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).not.toContain('id="root"')
    }
  })

  it('follows the registry: an activation and a rollback hold for the next page', async () => {
    await live()
    const before = (await app.inject('/scan')).body
    await put(store, aBuild('remote-scan', ['/scan', '/share'], 'second'))
    const after = (await app.inject('/scan')).body
    expect((block(after, 'dmp-snapshot') as PageSnapshot).id).not.toBe(
      (block(before, 'dmp-snapshot') as PageSnapshot).id,
    )
    expect((await app.inject('/share/1')).statusCode).toBe(200)
    await rollback(store, { by: 'test' })
    expect((block((await app.inject('/scan')).body, 'dmp-snapshot') as PageSnapshot).id).toBe(
      (block(before, 'dmp-snapshot') as PageSnapshot).id,
    )
  })

  it('lets open pages ask which snapshot is live now, without keeping the answer', async () => {
    expect((await app.inject('/releases/live')).statusCode).toBe(404)
    await live()
    const answer = await app.inject('/releases/live')
    expect(answer.json()).toEqual({
      data: { snapshot: (block((await app.inject('/scan')).body, 'dmp-snapshot') as PageSnapshot).id },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('goes on with what was live when the registry breaks, and comes back when it is mended', async () => {
    await live()
    const before = (await app.inject('/scan')).body
    const broken = path.join(store.folder, 'registry', '2.json')
    writeFileSync(broken, '{"version":')
    const meanwhile = await app.inject('/scan')
    expect(meanwhile.statusCode).toBe(200)
    expect(block(meanwhile.body, 'dmp-snapshot')).toEqual(block(before, 'dmp-snapshot'))
    rmSync(broken)
    await put(store, aBuild('remote-scan', ['/scan'], 'second'))
    expect(block((await app.inject('/scan')).body, 'dmp-snapshot')).not.toEqual(block(before, 'dmp-snapshot'))
  })

  it('says that the registry cannot be read when it is broken from the start, with 503 and no stack', async () => {
    writeFileSync(path.join(store.folder, 'registry', '1.json'), '{"version":')
    const { statusCode, body, headers } = await app.inject('/scan')
    expect(statusCode).toBe(503)
    expect(headers['content-type']).toContain('text/html')
    expect(body).toContain('The release registry of this server cannot be read.')
    expect(body).not.toMatch(/1\.json|\bat (?:file|async|\/)/)
  })

  it('says so when nothing is live, with 503', async () => {
    const { statusCode, body } = await app.inject('/')
    expect(statusCode).toBe(503)
    expect(body).toContain('No release is live on this server')
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('travels compressed with %s', async (encoding, unpack) => {
    await live()
    const answer = await app.inject({ url: '/scan', headers: { 'accept-encoding': encoding } })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(unpack(answer.rawPayload).toString()).toContain('id="root"')
  })
})

describe('the viewer', () => {
  const withViewer = () => put(store, aBuild('host', ['/dashboard']), aBuild('viewer', []))

  it('has a page of its own, whose policy lets it decode images, under its address with a slash', async () => {
    await withViewer()
    const page = await app.inject('/viewer/?study=1')
    expect([
      page.statusCode,
      page.body.match(/<script defer src="\/releases\/viewer\/[0-9a-f]{16}\/remoteEntry\.js" integrity=/g)?.length,
    ]).toEqual([200, 1])
    expect(page.headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'")
    const bare = await app.inject('/viewer?study=1')
    expect([bare.statusCode, bare.headers.location]).toEqual([302, '/viewer/?study=1'])
  })

  it('may start workers from its own files, and no other part from its', async () => {
    await withViewer()
    const policyOf = async (page: string, part: string) =>
      String(
        (await app.inject(new RegExp(`src="(/releases/${part}/[^"]+)"`).exec((await app.inject(page)).body)?.[1] ?? ''))
          .headers['content-security-policy'],
      )
    expect(await policyOf('/viewer/', 'viewer')).toContain("script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'")
    expect(await policyOf('/dashboard', 'host')).toBe(
      "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    )
  })
})

describe('files of releases', () => {
  const scriptAddress = async (): Promise<string> =>
    /src="(\/releases\/remote-scan\/[^"]+)"/.exec((await app.inject('/scan')).body)?.[1] ?? ''

  it('never change and may be kept for ever, in the smallest form the browser takes', async () => {
    await live()
    const url = await scriptAddress()
    const [plain, small] = [
      await app.inject(url),
      await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } }),
    ]
    expect(plain.body).toBe(code)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(small.headers['content-encoding']).toBe('br')
    expect(Number(small.headers['content-length'])).toBeLessThan(100)
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(code)
  })

  it.each(['br', 'gzip'])('go out as they are where packing does not make them smaller: %s', async (encoding) => {
    await live()
    const font = await app.inject({
      url: (await scriptAddress()).replace(/[^/]+$/, 'words.woff2'),
      headers: { 'accept-encoding': encoding },
    })
    expect([font.statusCode, font.headers['content-type'], font.headers['content-encoding'], font.body]).toEqual([
      200,
      'font/woff2',
      undefined,
      code,
    ])
  })

  it('stay when a later release is live, so that open pages live on', async () => {
    await live()
    const url = await scriptAddress()
    await put(store, aBuild('remote-scan', ['/scan'], 'second'))
    expect((await app.inject(url)).statusCode).toBe(200)
  })

  it('are there under a second address too, for a request that hangs', async () => {
    await live()
    const url = (await scriptAddress()).replace('/releases/', '/releases/again/')
    expect((await app.inject(url)).body).toBe(code)
  })

  it.each(['release.json', '../release.json', '..%2f..%2fregistry%2f1.json', 'App.js.br', 'nothing.js', '%00'])(
    'are only those that the release lists: not %s',
    async (file) => {
      await live()
      const folder = (await scriptAddress()).replace(/[^/]+$/, '')
      expect((await app.inject(`${folder}${file}`)).statusCode).toBe(404)
    },
  )

  it('of unknown parts and releases are not there', async () => {
    await live()
    expect((await app.inject('/releases/registry/0000000000000000/1.json')).statusCode).toBe(404)
    expect((await app.inject('/releases/remote-scan/0000000000000000/App.js')).statusCode).toBe(404)
  })
})

describe('releases that another server holds out', () => {
  const elsewhere = 'https://cdn.example.org/dmp/releases'
  beforeEach(async () => {
    await app.close()
    app = fastify()
    registerGateway(app, { store, runtimeSettings: settings, releases: elsewhere })
    await app.ready()
    await live()
  })

  it('are asked for there, with their hashes, and let in by the policy [P30]', async () => {
    const { body, headers } = await app.inject('/scan')
    const tags = body.match(/<(?:script (?:defer|async)|link rel="stylesheet")[^>]*>/g) ?? []
    expect(tags).toHaveLength(4)
    for (const tag of tags)
      expect(tag).toMatch(
        /(?:src|href)="https:\/\/cdn\.example\.org\/dmp\/releases\/[\w-]+\/[0-9a-f]{16}\/[\w.]+" integrity="sha384-[A-Za-z0-9+/]{64}" crossorigin="anonymous"/,
      )
    const snapshot = block(body, 'dmp-snapshot') as PageSnapshot
    for (const { entry } of snapshot.remotes)
      expect(entry).toMatch(/^https:\/\/cdn\.example\.org\/dmp\/releases\/remote-/)
    expect(snapshot.releases).toBe(elsewhere)
    const policy = String(headers['content-security-policy'])
    for (const kind of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'])
      expect(policy).toMatch(new RegExp(`${kind} [^;]*https://cdn\\.example\\.org(?: |;|$)`))
    expect(policy).not.toMatch(/unsafe-|\*/)
  })

  it('are here too, where a page tries again, and the release before comes from there as well', async () => {
    await put(store, aBuild('remote-scan', ['/scan'], 'second'))
    const { previous, entry } = (block((await app.inject('/scan')).body, 'dmp-snapshot') as PageSnapshot)
      .remotes[0] ?? { entry: '' }
    expect(previous?.entry).toMatch(/^https:\/\/cdn\.example\.org\/dmp\/releases\/remote-scan\//)
    expect((await app.inject(`/releases/again${entry.slice(elsewhere.length)}`)).body).toBe(`${code}second`)
  })
})
