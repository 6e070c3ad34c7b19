import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BuildRecord, PageSnapshot } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { setTrust } from '@dmp/release/trust'
import { openFolderStore, type FolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const settings = { applicationName: 'DMP', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings
const cdn = 'https://cdn.example.org/releases'

let store: FolderStore
let app: FastifyInstance

async function serve(releases?: string): Promise<void> {
  app = fastify()
  registerGateway(app, { store, runtimeSettings: settings, releases })
  await app.ready()
}

/** The host of before knows no guests. */
function aHost(): string {
  const dist = aBuild('host', ['/dashboard'])
  const file = path.join(dist, 'build.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as BuildRecord
  writeFileSync(file, JSON.stringify({ ...record, provides: { ...record.provides, '@dmp/contract': '1.12.0' } }))
  return dist
}

beforeEach(async () => {
  store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-guest-')), 'releases'))
  await put(store, aHost(), aBuild('remote-scan', ['/scan']), aBuild('remote-user', ['/user']))
  await setTrust(store, { part: 'remote-scan', isGuest: true }, { by: 'test' })
  await serve()
})
afterEach(() => app.close())

const block = <T>(html: string, id: string): T =>
  JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(html)?.[1] ?? 'null') as T
const readPolicy = ({ headers }: { headers: Record<string, unknown> }): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]),
  ) as Record<string, string>

async function findAddress(query = ''): Promise<string> {
  const { host, remotes } = block<PageSnapshot>((await app.inject('/scan')).body, 'dmp-snapshot')
  const scan = remotes.find(({ declaration }) => declaration.name === 'remote-scan')
  return `/guest-frame/remote-scan/${scan?.releaseId}/${host}${query}`
}

describe('the page around a guest [P30]', () => {
  it('neither asks for the guest’s scripts nor names an earlier release to run in their place', async () => {
    const { body, ...answer } = await app.inject('/scan')
    expect(body).not.toMatch(/<(?:script|link)[^>]*remote-scan/)
    const { remotes } = block<PageSnapshot>(body, 'dmp-snapshot')
    expect(remotes.map(({ guest }) => guest)).toEqual([{ calls: [] }, undefined])
    expect(readPolicy(answer)['frame-src']).toBe("'self'")
  })

  it('may frame nothing where no part is a guest', async () => {
    await setTrust(store, { part: 'remote-scan', isGuest: false }, { by: 'test' })
    expect(readPolicy(await app.inject('/scan'))).not.toHaveProperty('frame-src')
  })
})

describe('the page of a guest [P30]', () => {
  it('has the host’s scripts and its own, each with its hash and asked for with CORS, and no other part', async () => {
    const { statusCode, body } = await app.inject(await findAddress())
    expect(statusCode).toBe(200)
    const tags = [...body.matchAll(/<script (?:defer|async) src="\/releases\/([\w-]+)[^>]*>/g)]
    expect(new Set(tags.map(([, part]) => part))).toEqual(new Set(['host', 'remote-scan']))
    for (const [tag] of tags) expect(tag).toMatch(/ integrity="sha384-[^"]+" crossorigin="anonymous">$/)
    expect(block<PageSnapshot>(body, 'dmp-snapshot').remotes.map(({ declaration }) => declaration.name)).toEqual([
      'remote-scan',
    ])
    expect(body).not.toContain('nonce=')
  })

  it('reaches no address but the files of the two releases, and is sandboxed also outside of its frame', async () => {
    const answer = await app.inject({ url: await findAddress(), headers: { host: 'dmp.example' } })
    const policy = readPolicy(answer)
    const files = ['host', 'again/host', 'remote-scan', 'again/remote-scan'].map(
      (folder) => `http://dmp.example/releases/${folder}/`,
    )
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'connect-src': "'none'",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'self'",
      sandbox: 'allow-scripts allow-forms',
    })
    for (const name of ['script-src', 'style-src', 'img-src', 'font-src'])
      expect(
        policy[name]
          ?.split(' ')
          .filter((source) => source.startsWith('http'))
          .toSorted(),
      ).toEqual(files.toSorted())
    expect(policy['script-src']).not.toMatch(/'(?:self|nonce-[^']*|unsafe-[a-z-]*)'/)
    expect(answer.headers).not.toHaveProperty('x-frame-options')
  })

  it('takes its files from where all pages do', async () => {
    await app.close()
    await serve(cdn)
    const answer = await app.inject(await findAddress())
    expect(answer.body).toContain(`src="${cdn}/remote-scan/`)
    expect(readPolicy(answer)['script-src']).toContain(`${cdn}/remote-scan/`)
    expect(readPolicy(answer)['script-src']).not.toContain('localhost')
  })

  it('takes over language, colours and density, and nothing else that its address says', async () => {
    const { body } = await app.inject(await findAddress('?language=ar&theme=dark&density=</script>&user=x'))
    expect(block(body, 'dmp-guest')).toEqual({ part: 'remote-scan', preferences: { language: 'ar', theme: 'dark' } })
  })

  it('says of its part nothing that only the page around uses: no first calls, no addresses that it lends', async () => {
    const dist = aBuild('remote-scan', ['/scan'], 'new')
    const file = path.join(dist, 'build.json')
    const { declaration, ...record } = JSON.parse(readFileSync(file, 'utf8')) as BuildRecord
    const more = {
      firstCalls: [{ at: '/scan', call: 'GET /Scan/list', input: {} }],
      lends: [{ prefix: '/scan/shared', to: 'remote-user' }],
    }
    writeFileSync(file, JSON.stringify({ ...record, declaration: { ...declaration, ...more } }))
    await put(store, dist)
    const [remote] = block<PageSnapshot>((await app.inject(await findAddress())).body, 'dmp-snapshot').remotes
    expect(remote?.declaration).toEqual(declaration)
  })

  it.each(['dmp.example;script-src *', "dmp.example 'unsafe-inline'", 'dmp.example,evil.example'])(
    'is not there at a host called %s, which would stand in its policy',
    async (host) => {
      const answer = await app.inject({ url: await findAddress(), headers: { host } })
      expect(answer.statusCode).toBe(404)
      expect(String(answer.headers['content-security-policy'])).not.toContain(host)
    },
  )

  it.each([
    ['a part that is none', '/guest-frame/host/0123456789abcdef/0123456789abcdef'],
    ['a release that is not there', '/guest-frame/remote-scan/0123456789abcdef/0123456789abcdef'],
    ['a name that leads elsewhere', '/guest-frame/remote-..%2f/0123456789abcdef/0123456789abcdef'],
    ['no release', '/guest-frame/remote-scan'],
  ])('is not there for %s', async (_what, url) => {
    expect((await app.inject(url)).statusCode).toBe(404)
  })
})

it('lets frames of no origin have the files of releases', async () => {
  const { body } = await app.inject(await findAddress())
  const [, file = ''] = /src="(\/releases\/remote-scan\/[^"]+)"/.exec(body) ?? []
  const { headers } = await app.inject({ url: file, headers: { origin: 'null' } })
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
})
