import type { Declaration } from '@dmp/contract/remote'
import { activate, rollback } from '../activate.ts'
import { startCanary } from '../canary.ts'
import { compose } from '../composition.ts'
import { replaceReleases } from '../move.ts'
import { publish } from '../publish.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { swapRegistry, writeSnapshot } from '../store/ReleaseStore.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'

const by = { by: 'test' }
let store: FolderStore
beforeEach(() => (store = aStore()))

/** A release of a part that has these addresses, and lends some. */
const brought = (part: string, routes: readonly string[], lends: NonNullable<Declaration['lends']> = []) => {
  const claims = routes.map((prefix) => ({ prefix, guard: 'session' as const }))
  const declaration: Declaration = {
    name: part,
    title: part,
    version: '1.0.0',
    routes: claims,
    ...(lends.length > 0 ? { lends } : {}),
    navigation: [],
    cards: [],
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
  }
  return publish(store, aBuild(part, `${routes.join()} ${lends.length}`, { record: { declaration } }), {
    commit: 'abc',
  })
}
const live = async (...releases: Awaited<ReturnType<typeof brought>>[]) => activate(store, { parts: releases }, by)

describe('an address below another part’s', () => {
  it('is refused, live and to some people, with what to do, unless that part lends it [P89]', async () => {
    await live(await brought('host', ['/dashboard']), await brought('remote-scan', ['/scan']))
    const taker = await brought('remote-extra', ['/extra', '/scan/detail'])
    const refusal =
      /remote-extra claims \/scan\/detail, which lies below an address of remote-scan; .* \{ "prefix": "\/scan\/detail", "to": "remote-extra" \} into lends/s
    await expect(live(taker)).rejects.toThrow(refusal)
    await expect(startCanary(store, taker, { percent: 1 }, by)).rejects.toThrow(refusal)
    await live(await brought('remote-scan', ['/scan'], [{ prefix: '/scan/detail', to: 'remote-other' }]))
    await expect(live(taker)).rejects.toThrow(refusal)

    await live(await brought('remote-scan', ['/scan'], [{ prefix: '/scan/detail', to: 'remote-extra' }]))
    await live(taker)
    await expect(live(await brought('remote-extra', ['/extra', '/scan/list']))).rejects.toThrow('does not lend it')
    await live(await brought('remote-extra', ['/extra', '/scan/detail', '/scan/detail/old']))
  })

  it('is a part’s own below its own, and stays with whoever had it live before', async () => {
    const parts = [
      await brought('host', ['/dashboard']),
      await brought('remote-scan', ['/scan', '/scan/detail']),
      await brought('remote-extra', ['/scan/extra']),
    ]
    // As an earlier version of the platform left it.
    const refs = parts.map(({ name, releaseId }) => ({ name, releaseId }))
    const snapshot = await writeSnapshot(store, replaceReleases(undefined, refs))
    await swapRegistry(store, { version: 1, live: snapshot, history: [] })
    await live(await brought('remote-scan', ['/scan', '/scan/detail', '/scan/list']))
    await live(await brought('remote-extra', ['/scan/extra', '/extra']))
    await rollback(store, { part: 'remote-extra', ...by })
  })

  it('is not told to the pages, whose hosts of before would not understand it', async () => {
    const scan = await brought('remote-scan', ['/scan'], [{ prefix: '/scan/detail', to: 'remote-extra' }])
    const { page } = await compose(store, (await live(await brought('host', ['/dashboard']), scan)).live)
    expect(page.remotes[0]?.declaration).not.toHaveProperty('lends')
  })
})
