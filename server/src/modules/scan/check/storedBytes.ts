import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { ObjectStoreError, type ObjectStore } from '../../../outside/objectStore.ts'
import { listCommittedKeys } from '../intake/objectKeys.ts'

/** What a check found; it names objects by their keys, which hold UIDs and nothing of a patient. */
export interface StoreProblem {
  readonly kind:
    | 'missing'
    | 'damaged'
    | 'locked'
    | 'without row'
    | 'without header'
    | 'wrong count'
    | 'left over'
    | 'removal due'
    | 'audit chain'
  readonly what: string
  readonly isRepaired: boolean
}

export type Report = (problem: StoreProblem) => void

export interface ByteCheck {
  readonly db: Db
  readonly objects: ObjectStore
  /** Bytes per second that it reads at most. */
  readonly bytesPerSecond: number
  readonly onProgress: (instances: number, bytes: number) => void
  readonly report: Report
  /** Of all objects one of so many parts, the same objects each time. */
  readonly part?: Part
  readonly signal?: AbortSignal
}

export interface Part {
  /** From 0. */
  readonly nth: number
  readonly of: number
}

const pageSize = 200

/** Reads the bytes of every row and compares them with the hash of what was uploaded. */
export async function checkRows({
  db,
  objects,
  bytesPerSecond,
  onProgress,
  report,
  ...which
}: ByteCheck): Promise<void> {
  const began = performance.now()
  let instances = 0
  let bytes = 0
  for await (const row of listStoredRows(db, which.part)) {
    which.signal?.throwIfAborted()
    const fault = await findFault(objects, row)
    // A row that is gone by now was deleted meanwhile.
    if (fault && (await listCommittedKeys(db, [row.object_key])).size > 0)
      report({ kind: fault, what: row.object_key, isRepaired: false })
    instances += 1
    bytes += Number(row.byte_size)
    onProgress(instances, bytes)
    const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - began)
    if (aheadMs > 0) await pause(aheadMs)
  }
}

/** An object that the database names. */
export interface StoredRow {
  readonly organization_id: string
  readonly sop_instance_uid: string
  readonly object_key: string
  readonly sha256: string
  readonly byte_size: string | number
  /** Null where it is not encrypted. */
  readonly key_id: string | null
}

/** Every object that the database names, those of the bin, too. */
export async function* listStoredRows(db: Db, part?: Part): AsyncGenerator<StoredRow> {
  yield* listRows(db, part)
  yield* listBinRows(db, part)
}

const isOfPart = ({ nth, of }: Part): RawBuilder<boolean> =>
  sql<boolean>`(hashtext(object_key) & 2147483647) % ${of}::int = ${nth}::int`

/** What is on its way out of the bin may be gone already. */
async function* listBinRows(db: Db, part: Part | undefined): AsyncGenerator<StoredRow> {
  let last: (StoredRow & { entry_id: string }) | undefined
  for (;;) {
    const after = last
    const rows = await db
      .selectFrom('bin_instances as i')
      .innerJoin('bin_entries as entry', 'entry.id', 'i.entry_id')
      .select([
        'i.entry_id',
        'i.organization_id',
        'i.sop_instance_uid',
        'i.object_key',
        'i.sha256',
        'i.byte_size',
        'i.key_id',
      ])
      .where('entry.purge_began_date', 'is', null)
      .where(part ? isOfPart(part) : sql<boolean>`true`)
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('i.entry_id', 'i.sop_instance_uid'),
            '>',
            tuple(after?.entry_id ?? '', after?.sop_instance_uid ?? ''),
          ),
        ),
      )
      .orderBy('i.entry_id')
      .orderBy('i.sop_instance_uid')
      .limit(pageSize)
      .execute()
    yield* rows
    last = rows.at(-1)
    if (rows.length < pageSize) return
  }
}

async function* listRows(db: Db, part: Part | undefined): AsyncGenerator<StoredRow> {
  let last: StoredRow | undefined
  for (;;) {
    let query = db
      .selectFrom('instances')
      .select(['organization_id', 'sop_instance_uid', 'object_key', 'sha256', 'byte_size', 'key_id'])
      .orderBy('organization_id')
      .orderBy('sop_instance_uid')
      .limit(pageSize)
    if (part) query = query.where(isOfPart(part))
    if (last) {
      const { organization_id, sop_instance_uid } = last
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('organization_id', 'sop_instance_uid'), '>', tuple(organization_id, sop_instance_uid)),
      )
    }
    const rows: StoredRow[] = await query.execute()
    yield* rows
    last = rows.at(-1)
    if (rows.length < pageSize) return
  }
}

/** Throws when the store does not respond: then nothing can be said of its objects. */
async function findFault(
  objects: ObjectStore,
  { object_key, sha256, byte_size }: StoredRow,
): Promise<'missing' | 'damaged' | 'locked' | undefined> {
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of await objects.read(object_key)) {
      hash.update(chunk as Buffer)
      size += (chunk as Buffer).length
    }
  } catch (cause) {
    const fault = cause instanceof ObjectStoreError ? cause.fault : undefined
    if (fault === 'MISSING') return 'missing'
    if (fault === 'DAMAGED') return 'damaged'
    if (fault === 'LOCKED') return 'locked'
    throw cause
  }
  return size === Number(byte_size) && hash.digest('hex') === sha256 ? undefined : 'damaged'
}

interface OrphanCheck {
  readonly db: Db
  readonly objects: ObjectStore
  /** Younger ones may be of an upload that is under way. */
  readonly olderThanMs: number
  readonly repairs: boolean
  readonly report: Report
}

/** Bytes that no row names and no removal waits for. */
export async function checkOrphans({ db, objects, olderThanMs, repairs, report }: OrphanCheck): Promise<void> {
  let page: string[] = []
  const judge = async (): Promise<void> => {
    const named = await listCommittedKeys(db, page)
    const removals = await db
      .selectFrom('object_removals')
      .select('object_key')
      .where('object_key', 'in', page)
      .execute()
    const waiting = new Set(removals.map((row) => row.object_key))
    const orphans = page.filter((key) => !named.has(key) && !waiting.has(key))
    if (repairs) await objects.remove(orphans)
    for (const key of orphans) report({ kind: 'without row', what: key, isRepaired: repairs })
    page = []
  }
  const youngest = olderThanMs === 0 ? Infinity : Date.now() - olderThanMs
  for await (const { key, modified } of objects.list()) {
    if (modified > youngest) continue
    page.push(key)
    if (page.length === pageSize) await judge()
  }
  if (page.length > 0) await judge()
}
