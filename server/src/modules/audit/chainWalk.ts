import { sql } from 'kysely'
import { hashAuditRow, isOwnHead, type AuditKeys } from '../../db/auditHash.ts'
import type { Db } from '../../db/client.ts'
import type { ChainBreak } from './chainBreak.ts'
import { listNewestRows, type FoundHead } from './heads.ts'
import { findUpgradeEnd, type KnownKeyed } from './keyedSince.ts'

/** Rows that are in memory at a time. */
const batchRows = 500
const batchHeads = 500
/** Breaks that are named; more are only counted. */
const maxNamed = 100

export interface Verdict {
  readonly chains: number
  readonly rows: number
  readonly heads: number
  readonly breakCount: number
  /** In the order of the chains; the first is the first break. */
  readonly breaks: readonly ChainBreak[]
}

export interface Walk {
  readonly db: Db
  readonly keys: AuditKeys
  /** The only chain that is walked; all of them where left out. */
  readonly chain?: string | undefined
  readonly heads: AsyncIterable<FoundHead>
  /** What the data folder remembers of the time when the chains got their keys. */
  readonly known: KnownKeyed
  readonly signal?: AbortSignal
  /** Called after every batch. */
  readonly onRows?: (rows: number) => Promise<void> | void
}

type Report = (found: ChainBreak) => void

/** Reads every row once, in batches, then compares the chains with the heads that were written elsewhere. */
export async function walkChains(walk: Walk): Promise<Verdict> {
  const { db, chain, known } = walk
  const breaks: ChainBreak[] = []
  let [breakCount, rows] = [0, 0]
  const report: Report = (found) => {
    breakCount += 1
    if (breaks.length < maxNamed) breaks.push(found)
  }
  const chains = (await listNewestRows(db)).map((row) => row.chain).filter((name) => (chain ?? name) === name)
  if (known === 'foreign') report({ chain: chain ?? 'platform', kind: 'foreign memory', position: 1 })
  const upgradeEnd = await findUpgradeEnd(known, db)
  for (const name of chains) {
    const inspect = createInspector(name, walk.keys, { upgradeEnd, keyedRecord: toKeyedRecord(known, name) }, report)
    for await (const batch of readRows(db, name)) {
      walk.signal?.throwIfAborted()
      batch.forEach(inspect.row)
      rows += batch.length
      await walk.onRows?.(rows)
    }
    inspect.end()
  }
  const heads = await compareHeads(walk, report)
  return { chains: chains.length, rows, heads, breakCount, breaks }
}

/** The first batch has no bound: a record at the lowest number that there is would lie before any. */
const readBatch = (db: Db, chain: string, after?: number) =>
  db
    .selectFrom('audit')
    .selectAll()
    .where('chain', '=', chain)
    .$if(after !== undefined, (query) => query.where('position', '>', after ?? 0))
    .orderBy('position')
    .limit(batchRows)
    .execute()
type Row = Awaited<ReturnType<typeof readBatch>>[number]

async function* readRows(db: Db, chain: string): AsyncGenerator<Row[]> {
  let after: number | undefined
  for (;;) {
    const batch = await readBatch(db, chain, after)
    const last = batch.at(-1)
    if (last === undefined) return
    yield batch
    after = last.position
  }
}

interface Keyed {
  readonly upgradeEnd: number
  /** A record of this chain that once had a key. */
  readonly keyedRecord: number | undefined
}

const toKeyedRecord = (known: KnownKeyed, chain: string): number | undefined =>
  typeof known === 'object' && Object.hasOwn(known.keyedRecords, chain) ? known.keyedRecords[chain] : undefined

/** Null for what no row can hold: a date that never comes, a subject of ten thousand levels. */
function hashIfAny(row: Row, keys: AuditKeys): string | undefined | null {
  try {
    return hashAuditRow(row, keys)
  } catch {
    return null
  }
}

/** Judges the rows of a chain one after another. */
function createInspector(chain: string, keys: AuditKeys, { upgradeEnd, keyedRecord }: Keyed, report: Report) {
  let [lastPosition, lastHash] = [0, '']
  /** Rows without a key count for as much as the keyed row that follows them: it covers their hashes. */
  let uncovered: number | undefined
  let lostKey = false
  const cover = (at: number): void => {
    if (uncovered !== undefined && (lostKey || at > upgradeEnd)) report({ chain, kind: 'unkeyed', position: uncovered })
    uncovered = undefined
    lostKey = false
  }
  const row = (next: Row): void => {
    const { position } = next
    if (position > lastPosition + 1) report({ chain, kind: 'missing', position: lastPosition + 1, upTo: position - 1 })
    else if (next.previous_hash !== lastHash) report({ chain, kind: 'unlinked', position })
    const hash = hashIfAny(next, keys)
    if (hash === undefined && next.key_id) report({ chain, kind: 'unknown key', position, keyId: next.key_id })
    else if (hash !== next.hash) report({ chain, kind: 'altered', position })
    if (next.hash_version === 1) {
      uncovered ??= position
      lostKey ||= position === keyedRecord
    } else cover(Number(next.at))
    lastPosition = position
    lastHash = next.hash
  }
  return { row, end: () => cover(Date.now()) }
}

/** A head says what the chain once was: the same record with the same hash must still be there. */
async function compareHeads({ db, keys, chain, heads, signal }: Walk, report: Report): Promise<number> {
  /** Of each chain and kind the break that reaches farthest back. */
  const found = new Map<string, ChainBreak>()
  const note: Report = (next) => {
    const key = `${next.chain} ${next.kind}`
    const known = found.get(key)
    if (known !== undefined) found.set(key, widen(known, next))
    else if (found.size < maxNamed) found.set(key, next)
  }
  let count = 0
  let batch: FoundHead[] = []
  const compare = async (): Promise<void> => {
    signal?.throwIfAborted()
    await compareBatch(db, keys, batch, note)
    count += batch.length
    batch = []
  }
  for await (const next of heads) {
    if (chain !== undefined && next.head.chain !== chain) continue
    batch.push(next)
    if (batch.length === batchHeads) await compare()
  }
  if (batch.length > 0) await compare()
  found.forEach(report)
  return count
}

/** A number of records goes with the time and the place of the head that names it. */
function widen(known: ChainBreak, next: ChainBreak): ChainBreak {
  if (known.upTo === undefined || next.upTo === undefined) return next.position < known.position ? next : known
  return { ...(next.upTo > known.upTo ? next : known), position: Math.min(known.position, next.position) }
}

async function compareBatch(db: Db, keys: AuditKeys, batch: readonly FoundHead[], note: Report): Promise<void> {
  const own = batch.filter(({ head, source }) => {
    const isOwn = isOwnHead(head, keys)
    if (!isOwn) note({ chain: head.chain, kind: 'foreign head', position: head.position, source })
    return isOwn
  })
  if (own.length === 0) return
  const wanted = sql.join(own.map(({ head }) => sql`(${head.chain}, ${head.position}::int)`))
  const { rows } = await sql<{ chain: string; position: number; hash: string | null; last: number | null }>`
    select wanted.chain, wanted.position, audit.hash,
      (select max(newest.position) from audit newest where newest.chain = wanted.chain) as last
    from (values ${wanted}) as wanted (chain, position)
    left join audit on audit.chain = wanted.chain and audit.position = wanted.position`.execute(db)
  const present = new Map(rows.map((row) => [`${row.chain} ${row.position}`, row]))
  for (const { head, source } of own) {
    const row = present.get(`${head.chain} ${head.position}`)
    const at = { chain: head.chain, headAt: head.at, source }
    if (row === undefined || row.last === null) note({ ...at, kind: 'chain deleted', position: 1, upTo: head.position })
    // A gap in the middle was found on the way.
    else if (row.hash === null && head.position > row.last)
      note({ ...at, kind: 'newest deleted', position: row.last + 1, upTo: head.position })
    else if (row.hash !== null && row.hash !== head.hash) note({ ...at, kind: 'rewritten', position: head.position })
  }
}
