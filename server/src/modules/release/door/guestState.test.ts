import { release } from '@dmp/contract'
import { activate } from '@dmp/release/activate'
import { promoteCanary, startCanary } from '@dmp/release/canary'
import { byTests, createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine, toArrival, tryInBrowser } from './doorInTests.ts'

const part = 'remote-guest-state'
let server: TestServer
let releases: TestReleases
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

describe('a team that has nothing but a token', () => {
  it('learns that its part is a guest, and why, and that a canary asks for it [P97]', async () => {
    const token = await makeApiToken(root, { scopes: ['publish', 'canary', 'activate'], parts: [part] })
    const ask = createMachine(server, token.token)
    const first = (await ask(release.publish, await toArrival(part, 'one'))).data.releaseId
    await tryInBrowser(releases.store, part, first)
    expect((await ask(release.activate, { part, releaseId: first })).data).not.toHaveProperty('guest')

    const asking = {
      name: part,
      title: 'Door',
      version: '1.0.0',
      routes: [{ prefix: `/${part}`, guard: 'session' as const }],
      navigation: [],
      cards: [],
      trust: 'guest' as const,
      needs: { contract: '^1.0.0', kit: '^1.0.0' },
    }
    const second = (await ask(release.publish, await toArrival(part, 'two', { record: { declaration: asking } }))).data
      .releaseId
    await startCanary(releases.store, { name: part, releaseId: second }, { percent: 10 }, byTests)
    const { data: running } = await ask(release.getPart, { part })
    expect(running).toMatchObject({ canary: { releaseId: second, percent: 10, isGuest: true } })
    expect(running).not.toHaveProperty('guest')

    await promoteCanary(releases.store, part, { ...byTests, percent: 100 })
    expect((await ask(release.getPart, { part })).data).toMatchObject({ live: second, guest: 'release' })
    await activate(releases.store, { parts: [{ name: part, releaseId: first }] }, byTests)
    expect((await ask(release.getPart, { part })).data).toMatchObject({ live: first, guest: 'registry' })
  })
})
