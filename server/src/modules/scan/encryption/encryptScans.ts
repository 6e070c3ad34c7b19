import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { forEachInLanes } from '../../../core/semaphore.ts'
import type { Write } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { uuidToBytes, sealedMark, type DataKey } from '../../../outside/encryption/dataKey.ts'
import { ObjectStoreError, type StagedObject } from '../../../outside/objectStore.ts'
import { resealCommon } from '../headers/resealCommon.ts'
import { resealProjects } from '../transfer/transferProjects.ts'
import { createObjectKey } from '../intake/objectKeys.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import { sealHeader, unsealHeader } from '../intake/sealedHeaders.ts'

type WalkDependencies = Pick<Dependencies, 'db' | 'write' | 'objects' | 'encryption'>

export interface WalkOptions {
  /** Bytes of objects per second that it reads at most. */
  readonly bytesPerSecond: number
  /** How long the previous copy of an object stays for those who are reading it. */
  readonly removalDelaySeconds: number
  readonly onProgress: (done: number) => void
}

export interface WalkSummary {
  readonly instances: number
  readonly bytes: number
  /** Keys of objects that could not be read as they were stored; they stay as they are. */
  readonly damaged: readonly string[]
}

/** What is stored, and what lies in the bin. */
const tables = ['instances', 'bin_instances'] as const
type Table = (typeof tables)[number]

interface Row {
  /** Its place in the walk: in the bin an instance may lie twice. */
  readonly place: string
  readonly sop_instance_uid: string
  readonly series_uid: string
  readonly study_uid: string
  readonly object_key: string
  readonly sha256: string
  readonly byte_size: string
  readonly header: Uint8Array
  readonly key_id: string | null
}

interface Rewritten {
  readonly row: Row
  readonly header: Uint8Array
  /** Undefined in an archive, where only headers are encrypted. */
  readonly copy: { readonly staged: StagedObject; readonly key: string } | undefined
}

const groupSize = 64
const maxConcurrentObjects = 4
const request = { id: 'encryption', ip: 'this machine' } as const

/**
 * Encrypts everything of an organization that its current data key did not encrypt yet: objects in the clear or under a
 * retired key get a new copy under a new key of the store, and their rows name it in one transaction. It can be stopped
 * and started again at any point; rows that are done are not touched again.
 */
export async function encryptScans(
  deps: WalkDependencies,
  organizationId: string,
  { bytesPerSecond, removalDelaySeconds, onProgress }: WalkOptions,
): Promise<WalkSummary> {
  const dataKey = await deps.encryption.current(organizationId)
  if (!dataKey) throw new ObjectStoreError('LOCKED')
  await resealProjects(deps, dataKey)
  await resealCommon(deps, dataKey)
  const summary = { instances: 0, bytes: 0, damaged: [] as string[] }
  const began = performance.now()
  // What is deleted or taken back meanwhile changes its table: the first one is looked through once more.
  for (const table of [...tables, 'instances' as const])
    await encryptTable(deps, dataKey, table, { summary, began, bytesPerSecond, removalDelaySeconds, onProgress })
  return summary
}

type Walk = WalkOptions & {
  readonly began: number
  readonly summary: { instances: number; bytes: number; damaged: string[] }
}

async function encryptTable(deps: WalkDependencies, dataKey: DataKey, table: Table, walk: Walk): Promise<void> {
  const { summary, began, bytesPerSecond, removalDelaySeconds, onProgress } = walk
  let last = ''
  for (;;) {
    const rows = await listRows(deps, dataKey, table, last)
    if (rows.length === 0) return
    last = rows.at(-1)?.place ?? ''
    const rewritten: Rewritten[] = []
    await forEachInLanes(maxConcurrentObjects, rows, async (row) => {
      const next = await rewrite(deps, dataKey, row)
      if (next) rewritten.push(next)
      else if (!summary.damaged.includes(row.object_key)) summary.damaged.push(row.object_key)
    })
    summary.instances += await replace(deps, dataKey, table, rewritten, removalDelaySeconds)
    summary.bytes += rewritten.reduce((sum, { row }) => sum + Number(row.byte_size), 0)
    await removeObjects(deps.db, deps.objects)
    onProgress(summary.instances)
    const aheadMs = (summary.bytes / bytesPerSecond) * 1000 - (performance.now() - began)
    if (aheadMs > 0) await pause(aheadMs)
  }
}

async function listRows({ db }: WalkDependencies, dataKey: DataKey, table: Table, last: string): Promise<Row[]> {
  const place = sql.raw(table === 'instances' ? 'sop_instance_uid' : `sop_instance_uid || ' ' || entry_id`)
  const { rows } = await sql<Row>`
    select ${place} as place, sop_instance_uid, series_uid, study_uid, object_key, sha256, byte_size, header, key_id
    from ${sql.table(table)} where organization_id = ${dataKey.organizationId} and ${place} > ${last}
      and key_id is distinct from ${dataKey.id}
    order by 1 limit ${groupSize}`.execute(db)
  return rows
}

/** Stages the copy of an object; undefined when it is missing or not what was stored. */
async function rewrite(
  { objects, encryption }: WalkDependencies,
  dataKey: DataKey,
  row: Row,
): Promise<Rewritten | undefined> {
  const { organizationId } = dataKey
  const ids = { organizationId, sopInstanceUID: row.sop_instance_uid }
  try {
    const header = sealHeader(await unsealHeader(encryption, ids, row), ids, dataKey)
    if (objects.isArchive) return { row, header, copy: undefined }
    const staged = await objects.stage(await objects.read(row.object_key), { dataKey })
    if (staged.sha256 !== row.sha256) {
      await objects.discard([staged])
      return undefined
    }
    const instance = { ...ids, studyUID: row.study_uid, seriesUID: row.series_uid }
    return { row, header, copy: { staged, key: createObjectKey(objects, organizationId, instance, staged) } }
  } catch (cause) {
    if (cause instanceof ObjectStoreError && ['MISSING', 'DAMAGED'].includes(cause.fault)) return undefined
    throw cause
  }
}

/** Makes the copies the objects; returns how many. What breaks off here, `recover` finishes or discards. */
async function replace(
  deps: WalkDependencies,
  dataKey: DataKey,
  table: Table,
  rewritten: readonly Rewritten[],
  removalDelaySeconds: number,
): Promise<number> {
  if (rewritten.length === 0) return 0
  const copies = rewritten.flatMap(({ copy }) => copy ?? [])
  await deps.objects.intend(copies)
  const updated = await deps.write({ viewer: null, request }, async (write) => {
    const updated = await updateRows(write, dataKey, table, rewritten, removalDelaySeconds)
    await deleteThumbnails(write, dataKey, rewritten)
    await write.audit({
      event: 'ScansEncrypted',
      organizationId: dataKey.organizationId,
      subject: { keyId: dataKey.id, instances: updated.size },
    })
    return updated
  })
  const isCurrent = ({ key }: { key: string }): boolean => updated.has(key)
  await deps.objects.keep(copies.filter(isCurrent).map(({ staged }) => staged))
  // Their instance was deleted meanwhile.
  await deps.objects.discard(copies.filter((copy) => !isCurrent(copy)).map(({ staged }) => staged))
  return updated.size
}

/** Returns the object keys of the rows that it changed. */
async function updateRows(
  { trx }: Write,
  dataKey: DataKey,
  table: Table,
  rewritten: readonly Rewritten[],
  removalDelaySeconds: number,
): Promise<Set<string>> {
  const updated = new Set<string>()
  for (const { row, header, copy } of rewritten) {
    const objectKey = copy?.key ?? row.object_key
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ header, object_key: objectKey, key_id: dataKey.id })
      .where('organization_id', '=', dataKey.organizationId)
      .where('sop_instance_uid', '=', row.sop_instance_uid)
      .where('object_key', '=', row.object_key)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    updated.add(objectKey)
    if (copy)
      await sql`insert into object_removals (object_key, created_date)
        values (${row.object_key}, now() + ${removalDelaySeconds}::int * interval '1 second')`.execute(trx)
  }
  return updated
}

/** Thumbnails that another key sealed, or none, are drawn again when somebody looks. */
async function deleteThumbnails({ trx }: Write, dataKey: DataKey, rewritten: readonly Rewritten[]): Promise<void> {
  const beginning = Buffer.concat([Buffer.of(sealedMark), uuidToBytes(dataKey.id)])
  const seriesUIDs = [...new Set(rewritten.map(({ row }) => row.series_uid))]
  await sql`delete from thumbnails where organization_id = ${dataKey.organizationId}
    and series_uid = any(${seriesUIDs}::text[])
    and substring(image from 1 for ${beginning.length}::int) <> ${beginning}::bytea`.execute(trx)
}
