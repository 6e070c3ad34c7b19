import { activate } from '@dmp/release/activate'
import { release as releaseCommand } from '@dmp/release/cli'
import { publish } from '@dmp/release/publish'
import { readBuild } from '@dmp/release/readBuild'
import { readDrawn, toDrawnEnvelope, type DrawnDocument } from '@dmp/release/drawn/drawnDocument'
import { readRelease } from '@dmp/release/store/ReleaseStore'
import { aFolder } from '@dmp/release/testing/aBuild'
import { aHostThatDraws, aPartToDraw, changed } from '@dmp/release/testing/drawnBuilds'
import { captureOutput, printed } from '@dmp/release/testing/releaseCommand'
import { aKey, register } from '@dmp/release/testing/signing'
import { audit, release } from '@dmp/contract'
import type { Release } from '@dmp/contract/release'
import { byTests, createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine, tryInBrowser, type Machine } from './doorInTests.ts'

const part = 'remote-account'
let server: TestServer
let releases: TestReleases
let root: SignedIn
let to: string
let token: string
let machine: Machine
let host: Release
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  to = await server.listen()
  token = (await makeApiToken(root, { scopes: ['publish', 'activate'], parts: [part] })).token
  machine = createMachine(server, token)
  host = await publish(releases.store, aHostThatDraws(), { commit: 'abc' })
  await activate(releases.store, { parts: [host] }, byTests)
})
afterAll(() => server.close())
captureOutput()

/** As it is typed on the team's computer, which has no store. */
const run = (words: readonly string[], signer = undefined as ReturnType<typeof aKey>['signer'] | undefined) =>
  releaseCommand([...words, '--to', to], {
    store: aFolder(),
    by: 'nobody',
    readSigner: () => signer,
    door: { to: undefined, readToken: () => token },
  })

const idOf = () => /[0-9a-f]{16}/.exec(printed.at(-1) ?? '')?.[0] ?? ''
const shownOf = async (releaseId: string) =>
  readDrawn(releases.store, await readRelease(releases.store, part, releaseId), host.releaseId)

/** Brings a build without its pages, as a command of an earlier version does. */
async function bringBare(code: string): Promise<DrawnDocument> {
  const { record, contents } = await readBuild(aPartToDraw(part, code))
  const files = [...contents].map(([path, content]) => ({ path, content: content.toString('base64') }))
  const { data } = await machine(release.publish, { part, record, commit: 'abc1234', files })
  const markup = { plain: '<p>Login</p>', demo: '<p>Login</p>' }
  return { part, releaseId: data.releaseId, host: host.releaseId, pages: { '/login': { en: markup } } }
}
const add = (drawn: DrawnDocument, signer?: ReturnType<typeof aKey>['signer'], releaseId = drawn.releaseId) =>
  machine(release.addDrawn, { part, releaseId, envelope: toDrawnEnvelope(drawn, signer).toString('utf8') })

describe('the public pages of a part that is released alone [P99]', () => {
  it('are drawn where it was built, with the live host, and stand in the page once it is live', async () => {
    expect(await run(['publish', part, '--from', aPartToDraw()])).toBe(0)
    const releaseId = idOf()
    expect(Object.keys(await shownOf(releaseId))).toEqual(['/login', '/forgot-password'])
    expect((await root.call(audit.list, { event: 'ReleasePagesDrawn' })).data).toHaveLength(1)
    await tryInBrowser(releases.store, part, releaseId)
    expect(await run(['activate', part, '--release', releaseId])).toBe(0)
    const page = await server.app.inject({ url: '/login', headers: { 'accept-language': 'de' } })
    expect(page.body).toMatch(/<template id="dmp-drawn"><p>\/login 0\.\d+ de /)
  })

  it('come with their code where the host is another meanwhile, and nothing else is different', async () => {
    const other = await publish(releases.store, aHostThatDraws(changed.host), { commit: 'abc' })
    await activate(releases.store, { parts: [other] }, byTests)
    expect((await server.app.inject('/login')).body).not.toContain('dmp-drawn')
    await activate(releases.store, { parts: [host] }, byTests)
    expect((await server.app.inject('/login')).body).toContain('dmp-drawn')
  })

  it('are refused where they are of another release, host, part or address, no such document, more than markup or too many', async () => {
    const drawn = await bringBare('/* refused */')
    const [script, nowhere] = ['<p onclick="steal()">', '0'.repeat(16)]
    const cases: readonly (readonly [DrawnDocument, number, string, string?])[] = [
      [{ ...drawn, host: nowhere }, 400, 'Draw them again.'],
      [{ ...drawn, releaseId: nowhere }, 400, 'Draw them again.', drawn.releaseId],
      [{ ...drawn, part: 'remote-other' }, 400, 'Draw them again.'],
      [{ ...drawn, pages: { '/terms': drawn.pages['/login']! } }, 400, '/terms is no public page of remote-account.'],
      [{ ...drawn, pages: { '/login': { en: { plain: script, demo: '' } } } }, 400, 'Markup draws, and nothing else.'],
      [{ ...drawn, more: 1 } as never, 400, 'These are no drawn pages'],
      [{ ...drawn, pages: { '/login': { en: { plain: 'a'.repeat(400_000), demo: '' } } } }, 413, ''],
    ]
    for (const [document, status, says, releaseId] of cases) {
      const refused = await add(document, undefined, releaseId)
      expect([refused.status, refused.message]).toEqual([status, expect.stringContaining(says)])
    }
    const bad = await machine(release.addDrawn, { part, releaseId: drawn.releaseId, envelope: '{}' })
    expect(bad.status).toBe(400)
    expect(await shownOf(drawn.releaseId)).toEqual({})
    expect((await add(drawn)).status).toBe(200)
    expect(await shownOf(drawn.releaseId)).toEqual(drawn.pages)
  })

  it('cannot be brought once people have the release, by whoever may only bring one', async () => {
    const drawn = await bringBare('/* live */')
    await tryInBrowser(releases.store, part, drawn.releaseId)
    expect((await root.call(release.activate, { part, releaseId: drawn.releaseId })).status).toBe(200)
    const refused = await add(drawn)
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('People had remote-account')])
    expect(await shownOf(drawn.releaseId)).toEqual({})
    // Nor while another is live: whoever goes back to it wants what it was.
    const next = await bringBare('/* next */')
    await tryInBrowser(releases.store, part, next.releaseId)
    expect((await root.call(release.activate, { part, releaseId: next.releaseId })).status).toBe(200)
    expect((await add(drawn)).status).toBe(409)
    expect(await shownOf(drawn.releaseId)).toEqual({})
  })

  it('cannot come as a file of the build', async () => {
    const { record, contents } = await readBuild(aPartToDraw(part, '/* smuggled */'))
    const files = [...contents].map(([path, content]) => ({ path, content: content.toString('base64') }))
    const more = { path: `drawn.${host.releaseId}.json`, content: '' }
    const refused = await machine(release.publish, { part, record, commit: 'abc1234', files: [...files, more] })
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('Leave that file out.')])
  })

  it('are signed by the team’s key where the part has one, and refused otherwise', async () => {
    const [key, other] = [aKey('team'), aKey('other')]
    await register(releases.store, part, key)
    expect(await run(['publish', part, '--from', aPartToDraw(part, changed.part)], key.signer)).toBe(0)
    expect(Object.keys(await shownOf(idOf()))).toEqual(['/login', '/forgot-password'])
    const drawn = await bringBare('/* signed */')
    for (const signer of [undefined, other.signer])
      expect((await add(drawn, signer)).message).toContain('No release key of remote-account that counts signed')
    expect(await shownOf(drawn.releaseId)).toEqual({})
    // Each signature is compared with the whole of the pages.
    const signed = JSON.parse(toDrawnEnvelope(drawn, key.signer).toString('utf8')) as { signatures: unknown[] }
    const many = { ...signed, signatures: Array.from({ length: 101 }, () => signed.signatures[0]) }
    const input = { part, releaseId: drawn.releaseId, envelope: JSON.stringify(many) }
    expect((await machine(release.addDrawn, input)).message).toContain('These are no drawn pages')
    expect((await add(drawn, key.signer)).status).toBe(200)
    expect(await shownOf(drawn.releaseId)).toEqual(drawn.pages)
  })
})
