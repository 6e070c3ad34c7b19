import { JoinedWork } from '../../../core/joinedWork.ts'
import type { Db } from '../../../db/client.ts'
import { listNamedKeys } from './discardUnnamed.ts'
import { insertRows, NothingNew } from './insertRows.ts'
import { commitAlone, listStored, splitTwins } from './intake.repository.ts'
import type { IncomingObject, IntakeDependencies, IntakeOutcome, IntakeRequest, PreparedObject } from './intake.ts'
import { listFitting, QuotaExceeded } from './quota.ts'

interface Request extends IntakeRequest {
  readonly deps: IntakeDependencies
}

type Settled = PromiseSettledResult<IntakeOutcome[]>

/** As many objects share a transaction as one request puts into one. */
const mostTogether = 32

/** Of one process, for its database. */
const joined = new WeakMap<Db, JoinedWork<Request, IntakeOutcome[]>>()

/**
 * Takes in the objects of a request, or of a part of it. Requests that one customer sends to one organization at the
 * same time share a transaction and the syncs around it; each is answered after its commit, and what goes wrong with
 * one is tried by itself and fails alone (docs/decisions/0122-shared-commits.md).
 */
export function commit(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  group: readonly PreparedObject[],
): Promise<IntakeOutcome[]> {
  const { organizationId, context } = incoming
  // What an archive refuses of one would fail all that were sent to it together.
  if (deps.objects.isArchive) return commitAlone(deps, incoming, group)
  const work = joined.get(deps.db) ?? new JoinedWork(mostTogether, ({ group: { length } }) => length, commitJoined)
  joined.set(deps.db, work)
  return work.add(`${context.viewer?.organizationId ?? ''} ${organizationId}`, { deps, incoming, group })
}

const alone = ({ deps, incoming, group }: Request): Promise<IntakeOutcome[]> => commitAlone(deps, incoming, group)

async function commitJoined(requests: readonly Request[]): Promise<Settled[]> {
  const plain = requests.length > 1 ? await listPlain(requests).catch(() => []) : []
  const outcomes = plain.length > 1 ? await commitNew(plain) : new Map<Request, Settled>()
  const rest = requests.filter((request) => !outcomes.has(request))
  const settled = await Promise.allSettled(rest.map(alone))
  rest.forEach((request, index) => outcomes.set(request, settled[index] as Settled))
  return requests.map((request) => outcomes.get(request) as Settled)
}

/** Requests of which every object is new and fits: whatever else there is to say needs a look at each object. */
async function listPlain(requests: readonly Request[]): Promise<readonly Request[]> {
  const [first] = requests
  if (!first) return []
  const { deps, incoming } = first
  const group = requests.flatMap((request) => request.group)
  const { unique, twins } = splitTwins(group)
  const stored = await listStored(deps.db, incoming.organizationId, unique)
  const known = new Set([...stored.keys(), ...twins.map(({ ids }) => ids.sopInstanceUID)])
  const plain = requests.filter((request) => !request.group.some(({ ids }) => known.has(ids.sopInstanceUID)))
  const wanted = plain.flatMap((request) => request.group)
  const fitting = await listFitting(deps, incoming.organizationId, wanted)
  return fitting.length === wanted.length ? plain : []
}

/** Some of the objects were not added: somebody else was first, or they contradict what is stored. */
class NotAllNew extends Error {}

/** Thrown by ourselves within the transaction: it was never asked to commit. */
const isRolledBack = (cause: unknown): boolean =>
  cause instanceof NotAllNew || cause instanceof NothingNew || cause instanceof QuotaExceeded

/** Returns nothing of requests that are to be tried each by itself. */
async function commitNew(requests: readonly Request[]): Promise<Map<Request, Settled>> {
  const [first] = requests
  const group = requests.flatMap((request) => request.group)
  const staged = group.map((object) => object.staged)
  if (!first) return new Map()
  const { objects } = first.deps
  const failed = (reason: unknown) => new Map(requests.map((request) => [request, { status: 'rejected', reason }]))
  try {
    await objects.intend(group)
  } catch (cause) {
    // What could not be synced is not believed when a second sync succeeds.
    await objects.discard(staged).catch(() => undefined)
    return failed(cause) as Map<Request, Settled>
  }
  try {
    await writeRows(first, requests, group.length)
  } catch (cause) {
    if (isRolledBack(cause)) return new Map()
    const named = await listNamedKeys(first.deps, first.incoming.organizationId, group).catch(() => undefined)
    // If it cannot be told now, `recoverObjects` will do it.
    if (named === undefined) return failed(cause) as Map<Request, Settled>
    if (named.size === 0) return new Map()
  }
  try {
    await objects.keep(staged)
  } catch (cause) {
    return failed(cause) as Map<Request, Settled>
  }
  return new Map(requests.map((request) => [request, { status: 'fulfilled', value: request.group.map(toStored) }]))
}

const toStored = ({ ids }: PreparedObject): IntakeOutcome => ({ kind: 'stored', ...ids })

const writeRows = ({ deps, incoming }: Request, requests: readonly Request[], count: number): Promise<void> =>
  deps.write(incoming.context, async (write) => {
    const { uids } = await insertRows(write, requests, deps.settings)
    if (uids.size !== count) throw new NotAllNew()
  })
