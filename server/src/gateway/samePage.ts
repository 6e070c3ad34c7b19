import { isDeepStrictEqual } from 'node:util'
import type { Composition } from '@dmp/release/composition'
import { readSnapshot, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { BoundedMap } from '../core/BoundedMap.ts'

/** Which snapshot an open page is told of: its own where the live one would make the same page. */
export type SayLive = (held: string | null, live: Composition) => Promise<string>

const maxRemembered = 1000

/**
 * Pages do not contain the image viewer, which runs at an address of its own: a viewer that went live is no newer
 * version of a page, and nobody has to reload for it.
 */
export function createSayLive(store: ReleaseStore): SayLive {
  const known = new BoundedMap<string, boolean>(maxRemembered)
  const isSamePage = async (held: string, { page, snapshot }: Composition): Promise<boolean> => {
    const key = `${held} ${page.id}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const { viewer: _its, ...before } = await readSnapshot(store, held)
    const { viewer: _ours, ...now } = snapshot
    const isSame = isDeepStrictEqual(before, now)
    known.set(key, isSame)
    return isSame
  }
  return async (held, live) => {
    if (held === null || held === live.page.id || !/^[0-9a-f]{16}$/.test(held)) return live.page.id
    // One that nobody knows, or that cannot be read, is another.
    return (await isSamePage(held, live).catch(() => false)) ? held : live.page.id
  }
}
