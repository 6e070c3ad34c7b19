import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import { account, override } from '@dmp/contract'
import type { PageSnapshot, Release } from '@dmp/contract/release'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { aKey, publishAs, register } from '@dmp/release/testing/signing'
import { startServer, type Reply, type SignedIn, type TestServer } from '../../testing/server.ts'
import { openGrant, sealGrant } from './grant.ts'

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const production = {
  DMP_DEMO: '',
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: signingKey,
}

let server: TestServer
let live: Release
let newer: Release

async function startServerWith(variables: Record<string, string>): Promise<void> {
  server = await startServer(variables)
  const store = openFolderStore(path.join(server.deps.settings.dataDir, 'releases'))
  const put = (dist: string) => publish(store, dist, { commit: 'abc' })
  const host = await put(aBuild('host', 'host'))
  live = await put(aBuild('remote-scan', 'live'))
  newer = await put(aBuild('remote-scan', 'newer', { routes: ['/scan', '/scans'] }))
  await activate(store, { parts: [host, live].map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  await put(aBuild('remote-greedy', 'greedy', { kit: '^9.0.0' }))
}

/** Opens a page in a browser with these cookies. */
async function openPage(cookie: string, at = '/scan') {
  const { body, headers, statusCode } = await server.app.inject({ url: at, headers: { cookie } })
  const snapshot = JSON.parse(/id="dmp-snapshot">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as PageSnapshot
  return {
    snapshot,
    body,
    statusCode,
    scan: snapshot.remotes.find(({ declaration }) => declaration.name === 'remote-scan'),
    policy: String(headers['content-security-policy']),
    setCookie: String(headers['set-cookie'] ?? ''),
  }
}

const readCookie = ({ headers }: Reply<unknown>): string => String(headers['set-cookie']).split(';')[0] ?? ''
const local = 'http://localhost:8123'

describe('an override, in the demo', () => {
  let staff: SignedIn
  beforeAll(async () => {
    await startServerWith({})
    staff = await server.signIn('staff')
  })
  afterAll(() => server.close())

  it('puts a release of the store into the page of that browser, whole, with its hashes; the live one stands behind it', async () => {
    const reply = await staff.call(override.add, { part: 'remote-scan', source: newer.releaseId })
    expect(reply.data).toEqual({ part: 'remote-scan', releaseId: newer.releaseId, version: '1.0.0' })
    expect(String(reply.headers['set-cookie'])).toMatch(/^dmp-overrides=.*; Path=\/; HttpOnly; SameSite=Strict$/)
    const { scan, body, snapshot } = await openPage(readCookie(reply))
    expect(scan).toMatchObject({ releaseId: newer.releaseId, previous: { releaseId: live.releaseId } })
    expect(body).toContain(`src="/releases/remote-scan/${newer.releaseId}/remoteEntry.js" integrity="sha384-`)
    expect(snapshot.overrides).toEqual([{ part: 'remote-scan', releaseId: newer.releaseId, version: '1.0.0' }])
    expect((await openPage(readCookie(reply), '/scans')).statusCode).toBe(200)
    expect((await openPage('')).scan?.releaseId).toBe(live.releaseId)
    // The page has the live snapshot, so no newer version is offered.
    expect(snapshot.id).toBe((await openPage('')).snapshot.id)
  })

  it('names a release by its version too, the newest of it, and says which', async () => {
    const reply = await staff.call(override.add, { part: 'remote-scan', source: '1.0.0' })
    expect([live.releaseId, newer.releaseId]).toContain(reply.data.releaseId)
    expect(await staff.call(override.add, { part: 'remote-scan', source: '7.7.7' })).toMatchObject({
      status: 404,
      code: 'NO_RELEASE',
      message: 'The release store has no remote-scan@7.7.7.',
    })
  })

  it('lets a development server into the policy of that page only, and asks for none of its scripts beforehand [P30]', async () => {
    const reply = await staff.call(override.add, { part: 'remote-scan', source: local })
    const { policy, body, snapshot } = await openPage(readCookie(reply))
    expect(policy).toMatch(new RegExp(`script-src 'self' 'nonce-[^']+' ${local};`))
    expect(policy).toContain(`style-src 'self' `)
    expect(policy).toMatch(new RegExp(`connect-src 'self' ${local} ws://localhost:8123`))
    expect(policy).not.toMatch(/unsafe-|\*/)
    expect(snapshot.overrides).toEqual([{ part: 'remote-scan', address: local }])
    expect(body).not.toContain('src="/releases/remote-scan/')
    expect((await openPage('')).policy).not.toContain('localhost')
  })

  it.each([
    'http://evil.example:80',
    'http://localhost.evil.example:80',
    'http://localhost@evil.example:80',
    'http://localhost',
    'http://localhost:99999',
    'http://localhost:8123/x',
    'http://localhost:8123 https://evil.example',
    "http://localhost:1;script-src 'unsafe-inline'",
    '//localhost:8123',
    'javascript:alert(1)',
    'http://127.0.0.1.nip.io:80',
    '../../registry',
    '0123456789abcdeF',
  ])('never comes from %s [P30]', async (source) => {
    expect((await staff.call(override.add, { part: 'remote-scan', source })).status).toBe(400)
  })

  it('is refused where it cannot work with the live host, with the reason and the cure', async () => {
    const greedy = openFolderStore(path.join(server.deps.settings.dataDir, 'releases'))
    const [releaseId = ''] = await greedy.list('remote-greedy')
    const reply = await staff.call(override.add, { part: 'remote-greedy', source: releaseId })
    expect([reply.status, reply.code]).toEqual([409, 'DOES_NOT_FIT'])
    expect(reply.message).toMatch(/^remote-greedy needs @dmp\/kit \^9\.0\.0; .* Build remote-greedy against/)
    expect(await staff.call(override.add, { part: 'host', source: local })).toMatchObject({
      status: 422,
      code: 'ONLY_REMOTES',
    })
  })

  it('is refused where no key of its part signed the release [P43]', async () => {
    const store = openFolderStore(path.join(server.deps.settings.dataDir, 'releases'))
    const release = await publishAs(store, 'remote-signed', 'not signed')
    await register(store, 'remote-signed', aKey('ci'))
    const reply = await staff.call(override.add, { part: 'remote-signed', source: release.releaseId })
    expect([reply.status, reply.code]).toEqual([409, 'DOES_NOT_FIT'])
    expect(reply.message).toMatch(/is not signed by a key of remote-signed\. Publish it again/)
  })

  it('goes one at a time, all together, and by a link that needs no screen', async () => {
    const firstReply = await staff.call(override.add, { part: 'remote-scan', source: newer.releaseId })
    const secondReply = await staff.call(
      override.add,
      { part: 'remote-user', source: local },
      { headers: { cookie: readCookie(firstReply) } },
    )
    expect((await openPage(readCookie(secondReply))).snapshot.overrides).toHaveLength(2)
    const remainingReply = await server.call(
      override.remove,
      { part: 'remote-user' },
      { headers: { cookie: readCookie(secondReply) } },
    )
    expect((await openPage(readCookie(remainingReply))).snapshot.overrides).toEqual([
      { part: 'remote-scan', releaseId: newer.releaseId, version: '1.0.0' },
    ])
    // The remaining override keeps its end.
    const readMaxAge = ({ headers }: Reply<unknown>): number =>
      Number(/Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1])
    expect(readMaxAge(remainingReply)).toBeGreaterThan(0)
    expect(readMaxAge(remainingReply)).toBeLessThanOrEqual(readMaxAge(secondReply))
    const emptyReply = await server.call(override.remove, {}, { headers: { cookie: readCookie(secondReply) } })
    expect(readCookie(emptyReply)).toBe('dmp-overrides=')
    const plainPage = await openPage(readCookie(secondReply), '/scan?dmp-override=off')
    expect(plainPage.snapshot.overrides).toBeUndefined()
    expect(plainPage.setCookie).toMatch(/^dmp-overrides=; .*Expires=Thu, 01 Jan 1970/)
  })

  it('is recorded, with who and what [P24]', async () => {
    const auditRow = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('event', '=', 'ReleaseOverridden')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(auditRow).toMatchObject({ actor_id: staff.userId, subject: { part: 'remote-user', source: local } })
  })
})

describe('an override, in production', () => {
  beforeAll(() => startServerWith(production))
  afterAll(() => server.close())
  const add = (who: SignedIn) => who.call(override.add, { part: 'remote-scan', source: local })

  it.each(['sys_admin', 'admin', 'staff'] as const)('is refused to %s [P30]', async (role) => {
    const reply = await add(await server.signIn(role))
    expect([reply.status, reply.headers['set-cookie']]).toEqual([403, undefined])
  })

  it('is for a super administrator, as long as that session lives [P30]', async () => {
    const person = await server.signIn('super_admin')
    const reply = await add(person)
    expect(String(reply.headers['set-cookie'])).toMatch(/^__Host-dmp-overrides=.*; HttpOnly; Secure; SameSite=Strict$/)
    expect((await openPage(readCookie(reply))).policy).toContain(local)
    await server.call(account.logout, { refreshToken: person.tokens.refreshToken ?? '' })
    const laterPage = await openPage(readCookie(reply))
    expect(laterPage.policy).not.toContain('localhost')
    expect(laterPage.snapshot.overrides).toBeUndefined()
    expect(laterPage.setCookie).toContain('__Host-dmp-overrides=;')
  })

  it('ends when the person is no super administrator any more [P30]', async () => {
    const person = await server.signIn('super_admin')
    const cookie = readCookie(await add(person))
    await server.deps.db.updateTable('users').set({ role: 'sys_admin' }).where('id', '=', person.userId).execute()
    server.deps.bus.publish({ kind: 'viewersChanged', userIds: [person.userId] })
    expect((await openPage(cookie)).snapshot.overrides).toBeUndefined()
    await server.deps.db.updateTable('users').set({ role: 'super_admin' }).where('id', '=', person.userId).execute()
    server.deps.bus.publish({ kind: 'viewersChanged', userIds: [person.userId] })
  })

  it('of a monitor holds a release that was live, without a session, until its minutes are over [P30, P52]', async () => {
    const nobody = '00000000-0000-4000-8000-00000000dead'
    const grant = { overrides: { 'remote-scan': newer.releaseId }, family: nobody, userId: nobody }
    const open = async (more: object) =>
      openPage(
        `__Host-dmp-overrides=${sealGrant(server.deps.keys, { ...grant, expires: Date.now() + 60_000, ...more })}`,
      )
    expect((await open({ isTrial: true })).scan?.releaseId).toBe(newer.releaseId)
    expect((await open({})).scan?.releaseId).toBe(live.releaseId)
    expect((await open({ isTrial: true, expires: Date.now() - 1 })).scan?.releaseId).toBe(live.releaseId)
  })

  it('cannot be made, changed or kept too long by a browser [P30]', async () => {
    const person = await server.signIn('super_admin')
    const cookie = readCookie(await add(person))
    const [name, value = ''] = cookie.split('=')
    const [text = '', proof = ''] = value.split('.')
    const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace('8123', '9999')).toString('base64url')
    for (const other of [`${forged}.${proof}`, text, `${text}.`, `.${proof}`, `${text}.${proof}x`, 'x', ''])
      expect((await openPage(`${name}=${other}`)).snapshot.overrides).toBeUndefined()
    // It ends at the very instant that it names.
    const { expires } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { expires: number }
    const hours = (expires - Date.now()) / 3600_000
    expect([hours > 11.9, hours <= 12]).toEqual([true, true])
    const grant = () => openGrant(server.deps.keys, value)
    const clock = jest.spyOn(Date, 'now').mockReturnValue(expires - 1)
    expect(grant()).toMatchObject({ userId: person.userId })
    clock.mockReturnValue(expires)
    expect(grant()).toBeUndefined()
    clock.mockReturnValue(Date.now() + 3600_000)
    expect((await openPage(cookie)).snapshot.overrides).toBeUndefined()
    clock.mockRestore()
    expect((await openPage(cookie)).snapshot.overrides).toHaveLength(1)
  })
})
