import { createHash } from 'node:crypto'
import { PartName, ReleaseId } from '@dmp/contract/remote'
import * as v from 'valibot'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { RegistryConflict, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import { openEnvelope, toEnvelope, type Opened } from './envelope.ts'
import { toKeyId, type Signer } from './keyPair.ts'

const payloadType = 'application/vnd.dmp.release-key+json'
const text = v.string('Must be text.')
export const KeyName = v.pipe(
  text,
  v.regex(/^[A-Za-z0-9][A-Za-z0-9@._-]{0,63}$/, 'A key is named in letters, digits and @._-.'),
)

/**
 * One change of a part's keys, `keys/<part>/<number>.json`. Each names the one before by its hash, and each key but the
 * first is added by a signature of one that counts. Anybody who may write to the store may revoke: that only refuses.
 */
const KeyChange = v.strictObject({
  part: PartName,
  number: v.number('number is a number.'),
  change: v.picklist(['add', 'revoke'], 'A change is add or revoke.'),
  name: KeyName,
  publicKey: text,
  /** Releases that went live before this change: they stay good, whatever their signature says. */
  known: v.array(ReleaseId, 'known is a list.'),
  previous: v.nullable(text),
  by: text,
  at: text,
  reason: v.optional(text),
})
type KeyChange = v.InferOutput<typeof KeyChange>

/** A key that signs the releases of one part. */
export interface ReleaseKey {
  readonly name: string
  readonly keyId: string
  readonly publicKey: string
  readonly added: { readonly by: string; readonly at: string }
  readonly revoked?: { readonly by: string; readonly at: string; readonly reason?: string | undefined }
  /** Of a revoked key: the releases that it signed and that were live before. */
  readonly known: ReadonlySet<string>
}

/** The keys of a part that has or had some. */
export interface PartKeys {
  readonly keys: readonly ReleaseKey[]
  /** Releases that were live before the part had a key. */
  readonly known: ReadonlySet<string>
  readonly count: number
  /** The hash of the newest change. */
  readonly head: string
}

/** How far the keys of a part were seen. */
export type SeenKeys = Pick<PartKeys, 'count' | 'head'>

interface KeyMemory {
  readonly seen: Map<string, SeenKeys>
  onSeen(part: string, keys: SeenKeys): void
}

/**
 * What this process has seen of each part's keys. Changes are only added, so fewer or others mean that somebody else
 * wrote.
 */
const memoryByStore = new WeakMap<ReleaseStore, KeyMemory>()

function memoryOf(store: ReleaseStore): KeyMemory {
  const memory = memoryByStore.get(store) ?? { seen: new Map<string, SeenKeys>(), onSeen: () => undefined }
  memoryByStore.set(store, memory)
  return memory
}

/**
 * Begins with what was seen earlier, and tells of what is seen newly: whoever keeps that elsewhere notices after a
 * restart, too, that keys have vanished from the store.
 */
export const rememberKeys = (
  store: ReleaseStore,
  seenEarlier: ReadonlyMap<string, SeenKeys>,
  onSeen: KeyMemory['onSeen'],
): void => void memoryByStore.set(store, { seen: new Map(seenEarlier), onSeen })

/** The keys of a part; undefined if it never had one, and its releases need no signature. */
export async function readPartKeys(store: ReleaseStore, part: string): Promise<PartKeys | undefined> {
  const { seen, onSeen } = memoryOf(store)
  const earlier = seen.get(part)
  // One list says which parts have keys at all: of a bucket, no more is asked for those without.
  const hasKeys = (await store.list('keys')).includes(part)
  const numbers = hasKeys ? (await store.list(`keys/${part}`)).filter((name) => /^\d+\.json$/.test(name)) : []
  const contents = await Promise.all(numbers.map((_name, index) => store.read(keyOf(part, index + 1))))
  if (earlier && toHash(contents[earlier.count - 1]) !== earlier.head)
    throw altered(store, part, 'keys that were there are not')
  let known: PartKeys | undefined
  for (const content of contents) known = addChange(store, part, known, content)
  // Another reader may have seen more meanwhile.
  if (known && known.count > (seen.get(part)?.count ?? 0)) {
    const { count, head } = known
    seen.set(part, { count, head })
    onSeen(part, { count, head })
  }
  return known
}

const keyOf = (part: string, number: number): string => `keys/${part}/${number}.json`
const toHash = (content: Buffer | undefined): string | undefined =>
  content && createHash('sha256').update(content).digest('hex')

/** Reads the next change on top of those before; throws where it does not follow from them. */
function addChange(store: ReleaseStore, part: string, before: PartKeys | undefined, content?: Buffer): PartKeys {
  const number = (before?.count ?? 0) + 1
  const opened = content && openEnvelope(payloadType, content)
  const parsed = v.safeParse(KeyChange, opened?.value)
  const problem =
    content === undefined || opened === undefined || !parsed.success
      ? 'it is missing or no such document'
      : findProblem(part, before, parsed.output, opened)
  if (problem !== undefined) throw altered(store, part, `in change ${number}, ${problem}`)
  const change = parsed.output as KeyChange
  const made = { by: change.by, at: change.at }
  const keys = before?.keys ?? []
  return {
    keys:
      change.change === 'add'
        ? [
            ...keys,
            {
              name: change.name,
              keyId: toKeyId(change.publicKey),
              publicKey: change.publicKey,
              added: made,
              known: new Set(),
            },
          ]
        : keys.map((key) =>
            key.name === change.name
              ? { ...key, revoked: { ...made, reason: change.reason }, known: new Set(change.known) }
              : key,
          ),
    known: before?.known ?? new Set(change.known),
    count: number,
    head: toHash(content)!,
  }
}

/** Why a change does not follow from those before. */
function findProblem(
  part: string,
  before: PartKeys | undefined,
  change: KeyChange,
  opened: Opened,
): string | undefined {
  const keys = before?.keys ?? []
  if (change.part !== part) return `it is about ${change.part}`
  if (change.number !== (before?.count ?? 0) + 1 || change.previous !== (before?.head ?? null))
    return 'it does not follow the one before'
  if (change.change === 'revoke')
    return countingKeys(keys).some(({ name }) => name === change.name) ? undefined : `there is no key ${change.name}`
  if (keys.some(({ name, publicKey }) => name === change.name || publicKey === change.publicKey))
    return `${change.name} is there already`
  if (before === undefined || countingKeys(keys).some((key) => opened.isSignedBy(key))) return undefined
  return `${change.name} was not added by a key that counted`
}

export const countingKeys = (keys: readonly ReleaseKey[]): ReleaseKey[] => keys.filter(({ revoked }) => !revoked)

const altered = (store: ReleaseStore, part: string, reason: string): StoreError =>
  new StoreError(
    `The release keys of ${part} were altered (${store.location}/keys/${part}): ${reason}. No other release of ${part} goes live. Bring the folder back from a backup, and find out who writes to the store. If you removed the keys yourself, let the servers forget them: npm run admin -- release-keys forget ${part}`,
  )

interface Change {
  readonly by: string
  readonly reason?: string | undefined
  readonly signer: Signer | undefined
  /** The releases of the part that went live so far (`listWentLive`). */
  readonly known: readonly string[]
}

/** Registers a public key. The first of a part is taken as it is; later ones need the signature of one that counts. */
export async function addReleaseKey(
  store: ReleaseStore,
  part: string,
  { name, publicKey }: { readonly name: string; readonly publicKey: string },
  { signer, known, ...made }: Change,
): Promise<PartKeys> {
  const before = await readPartKeys(store, part)
  const keys = before?.keys ?? []
  const same = keys.find((key) => key.name === name || key.publicKey === publicKey)
  if (same)
    throw refused(
      part,
      `${part} had the key ${same.name} (${same.keyId}) already.`,
      'A key is registered once; make another pair, with a name of its own.',
    )
  const counting = countingKeys(keys)
  if (before && !counting.some(({ keyId }) => keyId === signer?.keyId))
    throw refused(
      part,
      `Another key of ${part} is added by the signature of one that counts${counting.length === 0 ? ', and all of them are revoked.' : `: ${nameKeys(counting)}.`}`,
      counting.length === 0
        ? `The platform's team removes ${store.location}/keys/${part}, lets the servers forget them (npm run admin -- release-keys forget ${part}), restarts them, and adds the first key again.`
        : 'Set DMP_RELEASE_KEY to its private key and add again.',
    )
  return appendChange(
    store,
    part,
    before,
    { ...made, change: 'add', name, publicKey, known: before ? [] : [...known] },
    signer,
  )
}

/** Ends a key: its releases count only if they were live before, because a thief can date a signature as he likes. */
export async function revokeReleaseKey(
  store: ReleaseStore,
  part: string,
  name: string,
  { signer, known, ...made }: Change,
): Promise<PartKeys> {
  const before = await readPartKeys(store, part)
  const counting = countingKeys(before?.keys ?? [])
  const key = counting.find((candidate) => candidate.name === name)
  if (key === undefined)
    throw refused(
      part,
      `${part} has no key ${name} that counts.`,
      counting.length === 0 ? 'There is nothing to revoke.' : `Name one of ${nameKeys(counting)}.`,
    )
  return appendChange(
    store,
    part,
    before,
    { ...made, change: 'revoke', name, publicKey: key.publicKey, known: [...known] },
    signer,
  )
}

export const nameKeys = (keys: readonly ReleaseKey[]): string => keys.map(({ name }) => name).join(', ')

const refused = (part: string, reason: string, cure: string): ReleaseRefused =>
  new ReleaseRefused([{ parties: [part, 'keys'], reason, cure }])

async function appendChange(
  store: ReleaseStore,
  part: string,
  before: PartKeys | undefined,
  change: Omit<KeyChange, 'part' | 'number' | 'previous' | 'at'>,
  signer: Signer | undefined,
): Promise<PartKeys> {
  const number = (before?.count ?? 0) + 1
  const next = { ...change, part, number, previous: before?.head ?? null, at: new Date().toISOString() }
  if (!(await store.add(keyOf(part, number), toEnvelope(payloadType, v.parse(KeyChange, next), signer))))
    throw new RegistryConflict(
      `Someone else changed the keys of ${part} at the same time. Look at them, and try again.`,
    )
  return (await readPartKeys(store, part))!
}
