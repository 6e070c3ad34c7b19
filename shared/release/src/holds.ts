import type { ReleaseStore } from './store/ReleaseStore.ts'
import { readSnapshot } from './store/ReleaseStore.ts'

/** Notes that an open page still has a snapshot; once a day for all pages. */
export type NoteHold = (snapshot: string) => Promise<void>

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The day on which some page still had a snapshot. */
export interface Hold {
  readonly key: string
  readonly snapshot: string
  readonly day: string
}

/** Reads the name of a mark below `held/`. */
export function parseHold(name: string): Hold | undefined {
  const [, snapshot = '', day = ''] = /^([0-9a-f]{16})\.(\d{4}-\d\d-\d\d)$/.exec(name) ?? []
  return day === '' ? undefined : { key: `held/${name}`, snapshot, day }
}

/** Snapshots that this process need not ask the store for: far more than pages are open of. */
const maxRemembered = 1000

/** Marks in the store, which all servers and regions share: `held/<snapshot>.<day>`. Only snapshots that there are. */
export function createHolds(store: ReleaseStore, now: () => Date = () => new Date()): NoteHold {
  const noted = new Set<string>()
  return async (snapshot) => {
    const name = `${snapshot}.${dayOf(now())}`
    if (noted.has(name) || parseHold(name) === undefined) return
    if (noted.size >= maxRemembered) noted.clear()
    noted.add(name)
    const isThere = await readSnapshot(store, snapshot).then(
      () => true,
      () => false,
    )
    if (isThere) await store.add(`held/${name}`, Buffer.from('{}'))
  }
}
