import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { activate, rollback } from './activate.ts'
import { ReleaseRefused } from './ReleaseRefused.ts'
import { compose, getIntegrity } from './composition.ts'
import { publish } from './publish.ts'
import {
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  registryVersion,
  releaseKey,
  StoreError,
  Superseded,
  swapRegistry,
  type ReleaseStore,
} from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const by = { by: 'test' }

async function live(store: ReleaseStore, ...builds: string[]) {
  const releases = await Promise.all(builds.map((dist) => publish(store, dist, { commit: 'abc' })))
  return activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, by)
}

const findLiveRelease = async (store: ReleaseStore, name: string) => {
  const { host, remotes } = await readSnapshot(store, (await readRegistry(store))!.live)
  return [host, ...remotes].find((ref) => ref.name === name)
}

describe('activating releases', () => {
  it('names the exact release of the host and of every remote in a snapshot, and points the registry at it', async () => {
    const store = aStore()
    const registry = await live(
      store,
      aBuild('host', 'one'),
      aBuild('remote-scan', 'one'),
      aBuild('remote-user', 'one'),
    )
    expect(registry.version).toBe(1)
    expect((await readSnapshot(store, registry.live)).remotes.map(({ name }) => name)).toEqual([
      'remote-scan',
      'remote-user',
    ])
    expect(registry.history[0]).toMatchObject({
      change: 'activate',
      parts: ['host', 'remote-scan', 'remote-user'],
      by: 'test',
    })
  })

  it('leaves what is not named as it was, and notes the release before as the one to fall back to', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'), aBuild('remote-user', 'one'))
    const [previousRelease, user] = [
      await findLiveRelease(store, 'remote-scan'),
      await findLiveRelease(store, 'remote-user'),
    ]
    await live(store, aBuild('remote-scan', 'two'))
    expect((await findLiveRelease(store, 'remote-scan'))?.previous).toBe(previousRelease?.releaseId)
    expect(await findLiveRelease(store, 'remote-user')).toEqual(user)
  })

  it('keeps the viewer beside the host and the remotes', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('viewer', 'one'))
    const { live: id } = await live(store, aBuild('host', 'two'))
    expect((await readSnapshot(store, id)).viewer?.name).toBe('viewer')
    expect((await compose(store, id)).viewer?.name).toBe('viewer')
  })

  it('moves nothing when everything named is live already', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    expect((await live(store, aBuild('remote-scan', 'one'))).version).toBe(1)
  })

  it('loses no move when many activate at once', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'))
    const names = Array.from({ length: 8 }, (_, index) => `remote-r${index}`)
    await Promise.all(names.map((name) => live(store, aBuild(name, 'one'))))
    const registry = (await readRegistry(store))!
    expect((await readSnapshot(store, registry.live)).remotes.map(({ name }) => name)).toEqual(names)
    expect(registry.version).toBe(9)
    expect(registry.history.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('takes a remote out', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    await activate(store, { parts: [], remove: ['remote-scan'] }, by)
    expect(await findLiveRelease(store, 'remote-scan')).toBeUndefined()
  })

  it.each([
    [
      'claims a route that another remote owns',
      aBuild('remote-extra', 'one', { routes: ['/scan'] }),
      /remote-extra both claim \/scan|both claim \/scan/,
    ],
    [
      'needs a newer kit than the live host provides',
      aBuild('remote-extra', 'one', { kit: '^2.0.0' }),
      /needs @dmp\/kit \^2\.0\.0; the host [0-9a-f]{16} provides 1\.0\.0/,
    ],
    [
      'needs a module that the host does not provide',
      aBuild('remote-extra', 'one', { record: { consumes: { vue: '^3.0.0' } } }),
      /vue \^3\.0\.0, which the host [0-9a-f]{16} does not provide/,
    ],
  ])('refuses a release that %s, with the cure, and changes nothing', async (_what, build, reason) => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    const attempt = live(store, build)
    await expect(attempt).rejects.toThrow(ReleaseRefused)
    await expect(attempt).rejects.toThrow(reason)
    expect((await readRegistry(store))!.version).toBe(1)
  })

  it('refuses a release that is not in the store', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'))
    await expect(activate(store, { parts: [{ name: 'remote-scan', releaseId: '0'.repeat(16) }] }, by)).rejects.toThrow(
      StoreError,
    )
  })
})

describe('rolling back', () => {
  it('goes back to the snapshot that was live before, and forth again', async () => {
    const store = aStore()
    const first = await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    const two = await live(store, aBuild('host', 'two'), aBuild('remote-scan', 'two'))
    expect((await rollback(store, by)).live).toBe(first.live)
    const again = await rollback(store, { ...by, reason: 'it was not that' })
    expect(again.live).toBe(two.live)
    expect(again.history[0]).toMatchObject({
      change: 'rollback',
      reason: 'it was not that',
      parts: ['host', 'remote-scan'],
    })
  })

  it('puts one part back and leaves the others at what is live', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'), aBuild('remote-user', 'one'))
    const previousRelease = await findLiveRelease(store, 'remote-scan')
    await live(store, aBuild('remote-scan', 'two'))
    await live(store, aBuild('remote-user', 'two'))
    const user = await findLiveRelease(store, 'remote-user')
    await rollback(store, { ...by, part: 'remote-scan' })
    expect((await findLiveRelease(store, 'remote-scan'))?.releaseId).toBe(previousRelease?.releaseId)
    expect(await findLiveRelease(store, 'remote-user')).toEqual(user)
  })

  it('takes a part back from the release that was meant, and from no other', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    await live(store, aBuild('remote-scan', 'two'))
    const from = (await findLiveRelease(store, 'remote-scan'))!.releaseId
    expect((await rollback(store, { ...by, part: 'remote-scan', from })).history[0]).toMatchObject({
      change: 'rollback',
      parts: ['remote-scan'],
    })
    await expect(rollback(store, { ...by, part: 'remote-scan', from })).rejects.toThrow(Superseded)
    expect(await registryVersion(store)).toBe(3)
  })

  it('says so when nothing else was live before', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'))
    await expect(rollback(store, by)).rejects.toThrow(/nothing to roll back to/i)
    await expect(rollback(store, { ...by, part: 'remote-scan' })).rejects.toThrow(/nothing/i)
  })
})

describe('the registry', () => {
  it('is replaced only by a change made from the version that is there', async () => {
    const store = aStore()
    const registry = await live(store, aBuild('host', 'one'))
    const next = { ...registry, version: 2 }
    const results = await Promise.allSettled([swapRegistry(store, next), swapRegistry(store, next)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(swapRegistry(store, next)).rejects.toThrow(RegistryConflict)
    await expect(swapRegistry(store, next)).rejects.toThrow(
      'The registry is no longer at version 1: someone else changed it. Try again.',
    )
  })

  it('is not disturbed by a write that was broken off', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'))
    writeFileSync(path.join(store.folder, 'registry/2.json.1234.unfinished'), '{"version":')
    expect((await readRegistry(store))!.version).toBe(1)
    expect((await live(store, aBuild('host', 'two'))).version).toBe(2)
  })

  it('says what to do when its document is damaged', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'))
    writeFileSync(path.join(store.folder, 'registry/2.json'), '{"version":')
    await expect(readRegistry(store)).rejects.toThrow(/not JSON .*registry\/2\.json.* publish again/)
  })

  it('keeps a bounded number of versions', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    await live(store, aBuild('remote-scan', 'two'))
    for (let round = 0; round < 110; round += 1) await rollback(store, by)
    expect(await registryVersion(store)).toBe(112)
    expect(readdirSync(path.join(store.folder, 'registry')).length).toBeLessThanOrEqual(100)
  })
})

describe('what a page is given', () => {
  it('has address, hash and declaration of every remote, and the release to fall back to', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    const previousId = (await findLiveRelease(store, 'remote-scan'))!.releaseId
    const { live: id } = await live(store, aBuild('remote-scan', 'two'))
    const { page, remotes } = await compose(store, id)
    const release = remotes.get('remote-scan')!
    expect(page.remotes).toEqual([
      {
        releaseId: release.releaseId,
        entry: `/releases/remote-scan/${release.releaseId}/remoteEntry.js`,
        integrity: release.files.find((file) => file.path === 'remoteEntry.js')!.integrity,
        declaration: release.declaration,
        previous: expect.objectContaining({
          releaseId: previousId,
          entry: `/releases/remote-scan/${previousId}/remoteEntry.js`,
        }) as unknown,
      },
    ])
  })

  it('has no release to fall back to where that was altered', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    const { releaseId } = (await findLiveRelease(store, 'remote-scan'))!
    const { live: id } = await live(store, aBuild('remote-scan', 'two'))
    const document = path.join(store.folder, 'remote-scan', releaseId, 'release.json')
    writeFileSync(document, readFileSync(document, 'utf8').replace('"title": "remote-scan"', '"title": "Other"'))
    const [remote] = (await compose(store, id)).page.remotes
    expect([remote?.declaration.name, remote?.previous]).toEqual(['remote-scan', undefined])
  })

  it('has no release to fall back to where the store has lost it', async () => {
    const store = aStore()
    await live(store, aBuild('host', 'one'), aBuild('remote-scan', 'one'))
    const previousId = (await findLiveRelease(store, 'remote-scan'))!.releaseId
    const { live: id } = await live(store, aBuild('remote-scan', 'two'))
    await store.remove(releaseKey('remote-scan', previousId, 'release.json'))
    const [remote] = (await compose(store, id)).page.remotes
    expect([remote?.declaration.name, remote?.previous]).toEqual(['remote-scan', undefined])
  })

  it('is not made of a remote that declares nothing, nor of a file that is not there', async () => {
    const store = aStore()
    const { live: id } = await live(
      store,
      aBuild('host', 'one'),
      aBuild('remote-scan', 'one', { record: { declaration: undefined } as never }),
    )
    await expect(compose(store, id)).rejects.toThrow(/remote-scan has no declaration\. Build and publish it again/)
    const { releaseId } = (await findLiveRelease(store, 'remote-scan'))!
    const release = await readRelease(store, 'remote-scan', releaseId)
    expect(() => getIntegrity(release, 'gone.js')).toThrow(/has no file gone\.js/)
  })
})
