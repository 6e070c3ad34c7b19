import type { RegistryMove } from '@dmp/contract/release'
import { PartName, ReleaseId } from '@dmp/contract/remote'
import * as v from 'valibot'
import { listReleaseRefs } from './move.ts'
import { hashMove } from './moveHash.ts'
import { findTrust, signatureKey } from './signing/signatures.ts'
import { readPartKeys } from './signing/releaseKeys.ts'
import {
  readRegistry,
  readRelease,
  readSnapshot,
  releaseKey,
  snapshotId,
  StoreError,
  type ReleaseStore,
  unlessDamaged,
} from './store/ReleaseStore.ts'

const Text = v.string('Must be text.')
const Count = v.number('Must be a number.')

/** What a move says. The people of a canary stay out of it, and out of its hash. */
const MoveFacts = v.strictObject({
  version: Count,
  snapshot: Text,
  change: Text,
  parts: v.array(Text, 'Must be a list.'),
  by: Text,
  at: Text,
  reason: v.optional(Text),
  canary: v.optional(v.strictObject({ name: Text, releaseId: ReleaseId, percent: Count })),
  previous: v.optional(Text),
})

/** Of a move of other parts only the hash is said: the chain can be followed without telling what they did. */
const FiledMove = v.strictObject({
  version: Count,
  hash: Text,
  previous: v.optional(Text),
  move: v.optional(MoveFacts),
  releaseId: v.optional(ReleaseId),
})
type FiledMove = v.InferOutput<typeof FiledMove>

/** The history of one part, newest first, with what proves it. */
export const HistoryFile = v.strictObject({
  format: v.literal('dmp-history-1', 'This is not an exported history.'),
  part: PartName,
  exportedAt: Text,
  moves: v.array(FiledMove, 'Must be a list.'),
  /** Snapshots, keys, releases and signatures as they lie in the store, by their key there. */
  documents: v.record(Text, Text),
})
export type HistoryFile = v.InferOutput<typeof HistoryFile>

const toFacts = ({ canary, ...move }: RegistryMove): v.InferOutput<typeof MoveFacts> => ({
  ...move,
  ...(canary === undefined
    ? {}
    : { canary: { name: canary.name, releaseId: canary.releaseId, percent: canary.percent } }),
})

/** The release that a move of the part is about: what is live after it, or the canary that it changed. */
const findReleaseId = (
  part: string,
  { change, canary }: Pick<v.InferOutput<typeof MoveFacts>, 'change' | 'canary'>,
  snapshot: Awaited<ReturnType<typeof readSnapshot>> | undefined,
): string | undefined =>
  // A canary that ended because another release went live is named by that move, too.
  canary?.name === part && change !== 'activate' && change !== 'rollback'
    ? canary.releaseId
    : snapshot && listReleaseRefs(snapshot).find(({ name }) => name === part)?.releaseId

/** Reads what a store knows of the history of a part. */
export async function exportHistory(store: ReleaseStore, part: string): Promise<HistoryFile> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live in this store yet.')
  const documents: Record<string, string> = {}
  const take = async (key: string): Promise<void> => {
    const content = await store.read(key)
    if (content) documents[key] = content.toString('utf8')
  }
  const changes = (await store.list('keys')).includes(part) ? await store.list(`keys/${part}`) : []
  for (const name of changes) await take(`keys/${part}/${name}`)
  const keys = (await readPartKeys(store, part))?.keys ?? []
  const moves: FiledMove[] = []
  for (const move of registry.history) {
    const entry = {
      version: move.version,
      hash: hashMove(move),
      ...(move.previous === undefined ? {} : { previous: move.previous }),
    }
    if (!move.parts.includes(part)) {
      moves.push(entry)
      continue
    }
    await take(`snapshots/${move.snapshot}.json`)
    const facts = toFacts(move)
    const releaseId = findReleaseId(part, facts, await readSnapshot(store, move.snapshot))
    moves.push({ ...entry, move: facts, ...(releaseId === undefined ? {} : { releaseId }) })
    if (releaseId === undefined || releaseKey(part, releaseId, 'release.json') in documents) continue
    await take(releaseKey(part, releaseId, 'release.json'))
    for (const { keyId } of keys) await take(signatureKey({ name: part, releaseId }, keyId))
  }
  if (moves.every(({ move }) => move === undefined)) throw new StoreError(`The history knows no ${part}.`)
  return { format: 'dmp-history-1', part, exportedAt: new Date().toISOString(), moves, documents }
}

export interface CheckedHistory {
  readonly part: string
  /** Moves of the part, and of others that stand between them. */
  readonly moves: number
  readonly others: number
  /** Moves whose place nothing proves: from before there was a chain, or beside ones that the registry has let go. */
  readonly unchained: number
  /** The hash of the newest move: whoever keeps it knows later whether anything before was changed. */
  readonly head: string
  readonly releases: readonly { readonly releaseId: string; readonly signedBy: string | null }[]
  /** Sentences that say what does not fit; empty where all does. */
  readonly problems: readonly string[]
}

/** Reads a file that was exported; throws where it is none. */
export function parseHistory(text: string, name: string): HistoryFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StoreError(`${name} is not JSON.`)
  }
  const result = v.safeParse(HistoryFile, value)
  if (result.success) return result.output
  throw new StoreError(`${name} is not an exported history: ${result.issues[0].message}`)
}

/**
 * Checks a history by what stands in it alone, without a store or a network.
 *
 * @param known what is known from elsewhere: an export of before, which this one has to go on from, and the public half
 * of a key of the part, without which a file that lost its keys would pass for one of a part that has none
 */
export async function checkHistory(
  file: HistoryFile,
  { earlier, publicKey }: { readonly earlier?: HistoryFile | undefined; readonly publicKey?: string | undefined } = {},
): Promise<CheckedHistory> {
  const { part, moves } = file
  const store = openDocuments(file)
  const chain = checkChain(file)
  const problems = [...chain.problems, ...(earlier === undefined ? [] : findChanged(file, earlier))]
  const keys = await readPartKeys(store, part)
  if (publicKey !== undefined && keys?.keys.every((key) => key.publicKey !== publicKey) !== false)
    problems.push(`The history has no key ${publicKey} of ${part}.`)
  const own = moves.flatMap((entry) => (entry.move === undefined ? [] : [{ ...entry, move: entry.move }]))
  for (const { move, releaseId } of own) {
    const snapshot = await readSnapshot(store, move.snapshot).catch(unlessDamaged)
    if (snapshot === undefined || snapshotId(snapshot) !== move.snapshot)
      problems.push(`Snapshot ${move.snapshot} of move ${move.version} is missing or was altered.`)
    else if (findReleaseId(part, move, snapshot) !== releaseId)
      problems.push(`Move ${move.version} names another release of ${part} than its snapshot.`)
  }
  const releases = []
  for (const releaseId of new Set(own.flatMap((entry) => entry.releaseId ?? [])))
    releases.push({ releaseId, signedBy: await checkRelease(store, part, releaseId, problems) })
  return {
    part,
    moves: own.length,
    others: moves.length - own.length,
    unchained: chain.unchained,
    head: moves[0]?.hash ?? '',
    releases,
    problems,
  }
}

/** Each move's hash is that of what it says, and names the move before. */
function checkChain({ moves, part }: HistoryFile): { readonly problems: string[]; readonly unchained: number } {
  const problems: string[] = []
  let unchained = 0
  for (const [index, { version, hash, previous, move }] of moves.entries()) {
    if (move !== undefined && (hashMove(move) !== hash || move.previous !== previous || move.version !== version))
      problems.push(`Move ${version} was altered.`)
    if (move !== undefined && !move.parts.includes(part)) problems.push(`Move ${version} is not about ${part}.`)
    const before = moves[index + 1]
    if (before !== undefined && before.version >= version)
      problems.push(`Move ${before.version} stands in a wrong place.`)
    // The registry keeps 200 moves, and lets go of quiet ones between others first.
    if (before === undefined || before.version !== version - 1 || previous === undefined) {
      if (version > 1) unchained += 1
    } else if (previous !== before.hash)
      problems.push(`Move ${version} does not follow move ${before.version}: one of them was altered.`)
  }
  return { problems, unchained }
}

const findChanged = (file: HistoryFile, earlier: HistoryFile): string[] => {
  if (earlier.part !== file.part) return [`The earlier history is of ${earlier.part}.`]
  const known = new Map(file.moves.map(({ version, hash }) => [version, hash]))
  const newest = file.moves[0]?.version ?? 0
  return earlier.moves.flatMap(({ version, hash }) => {
    if (version > newest) return [`Move ${version} was there, and is not any more.`]
    const now = known.get(version)
    return now !== undefined && now !== hash ? [`Move ${version} was another one in the earlier history.`] : []
  })
}

/** The name of the key that signed a release; null where none had to. */
async function checkRelease(
  store: ReleaseStore,
  part: string,
  releaseId: string,
  problems: string[],
): Promise<string | null> {
  try {
    const trust = await findTrust(store, await readRelease(store, part, releaseId))
    if (trust.by === 'nothing') problems.push(trust.problem.reason)
    return trust.by === 'key' ? trust.key.name : null
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // Cleaned up since, which loses no move.
    if (await store.read(releaseKey(part, releaseId, 'release.json'))) problems.push(error.message)
    return null
  }
}

/** The documents of a file, as a store that can only be read. */
function openDocuments({ documents }: HistoryFile): ReleaseStore {
  const refuse = (): never => {
    throw new StoreError('An exported history is only read.')
  }
  return {
    location: 'the exported history',
    read: async (key) => (Object.hasOwn(documents, key) ? Buffer.from(documents[key] ?? '') : undefined),
    list: async (key) => [
      ...new Set(
        Object.keys(documents)
          .filter((name) => name.startsWith(`${key}/`))
          .map((name) => name.slice(key.length + 1).split('/')[0] ?? ''),
      ),
    ],
    stream: refuse,
    add: refuse,
    remove: refuse,
  }
}
