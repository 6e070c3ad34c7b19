import type { PageSnapshot } from '../../shared/contract/src/release.ts'
import { fetchPage, openSession, parseBlock } from '../../e2e/support/api.ts'
import { account } from '../../e2e/support/accounts.ts'
import type { Deployment } from '../../e2e/support/deployment.ts'

const everyMs = 5000

const timeOf = (date: Date): string => `${date.toISOString().slice(11, 19)} UTC`

/** Asks which snapshot is live; undefined where nobody answers. */
export const askLive = (address: string): Promise<string | undefined> =>
  fetch(`${address}/releases/live`, { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => ((await response.json()) as { data?: { snapshot?: string } }).data?.snapshot)
    .catch(() => undefined)

async function readSnapshot(address: string): Promise<PageSnapshot | undefined> {
  return parseBlock<PageSnapshot>(await fetchPage(address).catch(() => ''), 'dmp-snapshot')
}

/** The parts whose release is another one: `remote-scan 1.4.2 (…) → 1.4.1 (…)`. */
export function listReplacedParts(previous: PageSnapshot | undefined, next: PageSnapshot | undefined): string[] {
  if (previous === undefined || next === undefined) return []
  const releasesOf = ({ host, remotes }: PageSnapshot) =>
    new Map([
      ['host', host],
      ...remotes.map(({ releaseId, declaration: { name, version } }) => [name, `${version} (${releaseId})`] as const),
    ])
  const [before, after] = [releasesOf(previous), releasesOf(next)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${before.get(name) ?? 'absent'} → ${after.get(name) ?? 'absent'}`)
}

export interface LiveWatch {
  /** What changed since the start, a line each; ends the watch. */
  stop(): Promise<string[]>
}

/** Watches, while the journeys run, what the deployment serves: a rollback in the middle makes two products of it. */
export async function startLiveWatch(deployment: Deployment, intervalMs = everyMs): Promise<LiveWatch> {
  const { address } = deployment
  const startedAt = new Date()
  const changes: string[] = []
  let live = await askLive(address)
  let snapshot = await readSnapshot(address)
  let isAway = false
  const look = async (): Promise<void> => {
    const now = await askLive(address)
    if ((now === undefined) !== isAway) {
      isAway = now === undefined
      changes.push(`${timeOf(new Date())} the deployment ${isAway ? 'stopped answering' : 'answers again'}`)
    }
    if (now === undefined || now === live) return
    const next = await readSnapshot(address)
    const replaced = listReplacedParts(snapshot, next)
    changes.push(`${timeOf(new Date())} ${replaced.length > 0 ? replaced.join(', ') : `snapshot ${live} → ${now}`}`)
    live = now
    snapshot = next
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => (looking = looking.then(look)), intervalMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      await look()
      return changes.length === 0 ? [] : [...changes, ...(await listMoves(deployment, startedAt))]
    },
  }
}

interface Move {
  readonly at: string
  readonly change: string
  readonly parts: readonly string[]
  readonly by: string
  readonly reason: string | null
}

/** Who moved what, as far as the super administrator of the run may read it. */
async function listMoves({ address, settings, accounts }: Deployment, since: Date): Promise<string[]> {
  if (!accounts.super.isReady) return []
  const session = await openSession(address, settings.clientId, account('super')).catch(() => '')
  if (typeof session === 'string') return []
  const moves = await session.call<Move[]>('GET', 'Release/history').catch(() => [])
  await session.close()
  return moves
    .filter(({ at }) => new Date(at) >= since)
    .map(
      ({ at, change, parts, by, reason }) =>
        `${timeOf(new Date(at))} ${change} of ${parts.join(', ')} by ${by}${reason ? `: ${reason}` : ''}`,
    )
}
