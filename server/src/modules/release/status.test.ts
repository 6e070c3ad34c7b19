import { release } from '@dmp/contract'
import { activate } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

const status = async () => (await root.call(release.status, {})).data.parts
const findPart = async (name: string) => (await status()).find((part) => part.name === name)

describe('what is live', () => {
  it('names each part once, the host first, then the viewer, then the others, and what a part can go back to', async () => {
    const [first, second] = [await releases.put('remote-scan', 'one'), await releases.put('remote-scan', 'two')]
    await activate(releases.store, { parts: [first, await releases.put('remote-user', 'one')] }, byTests)
    await activate(releases.store, { parts: [second, await releases.put('viewer', 'one', ['/viewer'])] }, byTests)
    expect((await status()).map(({ name }) => name)).toEqual(['host', 'viewer', 'remote-scan', 'remote-user'])
    expect([(await findPart('remote-scan'))?.before, (await findPart('remote-user'))?.before]).toEqual([
      { releaseId: first.releaseId, version: '1.0.0' },
      null,
    ])
  })

  it('gives a canary to the share that is asked for, or to the next one', async () => {
    const canary = await releases.put('remote-scan', 'three')
    await startCanary(releases.store, canary, { percent: 1 }, byTests)
    const promoted = async (more: object) => {
      expect(
        (await root.call(release.promoteCanary, { part: 'remote-scan', releaseId: canary.releaseId, ...more })).status,
      ).toBe(200)
      return (await findPart('remote-scan'))?.canary?.percent
    }
    expect([await promoted({ percent: 25 }), await promoted({})]).toEqual([25, 50])
  })

  it('counts load times in steps: what takes just as long as one belongs to it', async () => {
    const releaseId = (await findPart('remote-user'))?.live.releaseId ?? ''
    await releases.report(
      'staff@north.example',
      ...[300, 300, 300, 4000].map((ms) => ({ part: 'remote-user', releaseId, what: 'loaded' as const, ms })),
    )
    expect((await findPart('remote-user'))?.live.figures).toMatchObject({ pages: 4, failures: 0, loadMsP75: 300 })
  })
})
