import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { Release } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { publish } from '@dmp/release/publish'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, code as typeface } from './testing/builds.ts'

const settings = { applicationName: 'X', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings
const folder = path.join(mkdtempSync(path.join(tmpdir(), 'dmp-gateway-')), 'releases')
const store = openFolderStore(folder)
const code = randomBytes(200_000).toString('base64')
const [old, edited] = [`${code}\nonce()\n${code}`, `${code}\ntwice()\n${code}`]
let app: FastifyInstance
let [before, now]: readonly Release[] = []

/** Its one screen has this content, under a name with a hash as builds give it. */
async function release(part: string, content: string): Promise<Release> {
  const dist = aBuild(part, ['/scan'])
  writeFileSync(path.join(dist, `Screen.${hashOf(content).toString('hex').slice(0, 8)}.js`), content)
  writeFileSync(path.join(dist, 'App.js'), content)
  return publish(store, dist, { commit: 'abc' })
}

beforeAll(async () => {
  app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  await app.ready()
  ;[before, now] = [await release('remote-scan', old), await release('remote-scan', edited)]
})
afterAll(() => app.close())

const hashOf = (content: string): Buffer => createHash('sha256').update(content).digest()
const screenOf = ({ files }: Release): string => files.find((file) => file.path.startsWith('Screen.'))?.path ?? ''
const releaseOf = (release?: Release): Release => {
  if (release === undefined) throw new Error('Nothing was published.')
  return release
}
/** What Chromium sends that has the screen of a release, or as much of it as is said. */
const offering = (release: Release, file = screenOf(release), content = old) => ({
  'accept-encoding': 'gzip, deflate, br, zstd, dcb, dcz',
  'available-dictionary': `:${hashOf(content).toString('base64')}:`,
  'dictionary-id': `"${release.releaseId}/${file}"`,
})
const get = (release: Release, headers: Record<string, string>, file = screenOf(release), prefix = '') =>
  app.inject({ url: `/releases/${prefix}${release.name}/${release.releaseId}/${file}`, headers })

describe('a file of which the browser has the release before (RFC 9842)', () => {
  it('comes as the lines that changed, from which the browser makes exactly what was published', async () => {
    const reply = await get(releaseOf(now), offering(releaseOf(before)))
    expect(reply.headers).toMatchObject({
      'content-encoding': 'dcz',
      vary: 'accept-encoding, available-dictionary',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    })
    expect(reply.rawPayload.length).toBeLessThan(300)
    expect(reply.rawPayload.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
    expect(reply.rawPayload.subarray(8, 40)).toEqual(hashOf(old))
    expect(zstdDecompressSync(reply.rawPayload.subarray(40), { dictionary: Buffer.from(old) }).toString()).toBe(edited)
  })

  it('is offered for the same file of later releases of its part, and of no other part', async () => {
    const { name, releaseId } = releaseOf(now)
    const screen = screenOf(releaseOf(now))
    expect((await get(releaseOf(now), {})).headers['use-as-dictionary']).toBe(
      `match="/releases/${name}/*/Screen.*.js", id="${releaseId}/${screen}"`,
    )
  })

  it('is named the same way in the release after it, which builds upon it in turn', async () => {
    const third = await release('remote-scan', `${edited}\nthrice()`)
    const reply = await get(third, offering(releaseOf(now), screenOf(releaseOf(now)), edited))
    expect(reply.headers['content-encoding']).toBe('dcz')
    expect(zstdDecompressSync(reply.rawPayload.subarray(40), { dictionary: Buffer.from(edited) }).toString()).toMatch(
      /\nthrice\(\)$/,
    )
  })

  it('takes a hundred bytes where nothing of it changed, a typeface as well', async () => {
    const headers = offering(releaseOf(before), 'words.woff2', typeface)
    const reply = await get(releaseOf(now), headers, 'words.woff2')
    expect([reply.headers['content-encoding'], reply.headers['content-type']]).toEqual(['dcz', 'font/woff2'])
    expect(reply.rawPayload.length).toBeLessThan(100)
  })

  const whole: readonly [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
    ['takes no such form', () => ({ ...offering(releaseOf(before)), 'accept-encoding': 'gzip, br, zstd' })],
    ['has another content under that name', () => offering(releaseOf(before), screenOf(releaseOf(before)), 'x')],
    ['names another file', () => offering(releaseOf(before), 'App.js')],
    ['names a file that is none', () => offering(releaseOf(before), 'Screen.00000000.js')],
    [
      'names a release that is none',
      () => ({ ...offering(releaseOf(before)), 'dictionary-id': '"0123456789abcdef/Screen.00000000.js"' }),
    ],
    ['names the release of another part', async () => offering(await release('remote-user', old))],
    [
      'names a place outside',
      () => ({ ...offering(releaseOf(before)), 'dictionary-id': `"../../${releaseOf(before).releaseId}/x.js"` }),
    ],
    [
      'says nothing of the sort',
      () => ({ ...offering(releaseOf(before)), 'dictionary-id': 'x', 'available-dictionary': '::' }),
    ],
  ]
  it.each(whole)('comes whole to a browser that %s', async (_title, headersOf) => {
    const reply = await get(releaseOf(now), await headersOf())
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, 'br'])
    expect(reply.headers.vary).toBe('accept-encoding, available-dictionary')
  })

  it('comes whole when it is asked for again, because what the browser has may be what is wrong', async () => {
    const reply = await get(releaseOf(now), offering(releaseOf(before)), screenOf(releaseOf(now)), 'again/')
    expect([reply.headers['content-encoding'], reply.headers['use-as-dictionary']]).toEqual(['br', undefined])
  })

  it('comes whole where the release before was altered in the store', async () => {
    const third = await release('remote-scan', `${old} of its own`)
    const file = path.join(folder, 'remote-scan', third.releaseId, screenOf(third))
    writeFileSync(file, old)
    const reply = await get(releaseOf(now), offering(third))
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, 'br'])
  })

  it('comes whole where little of it stayed', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `const n${index} = call('${(index * 7919) % 1000}')`)
    const other = await release('remote-scan', lines.join('\n'))
    expect((await get(other, offering(releaseOf(before)))).headers['content-encoding']).toBe('br')
  })
})
