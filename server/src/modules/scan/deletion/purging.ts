import { sql, type Transaction } from 'kysely'
import { reasonOf } from '../../../core/rounds.ts'
import { forEachInLanes } from '../../../core/semaphore.ts'
import { goHourly, type Hourly } from '../../../db/hourly.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { WriteContext } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { removeUnusedCommon } from '../headers/shortHeaders.repository.ts'
import { assertNotHeld, type Asker } from './holds.repository.ts'
import { lockEntries } from './restoring.ts'

/** Entries that one transaction puts on their way, and objects that are removed with one call. */
const entriesAtOnce = 50
const objectsAtOnce = 500
const looksAtOnce = 8

/** What the audit trail keeps of what is gone: how much, and one hash over the hashes of all objects. */
interface Certificate {
  readonly id: string
  readonly organization_id: string
  readonly study_uid: string
  readonly series_uid: string
  readonly instances: number
  readonly byte_size: string
  readonly sha256: string
}

/**
 * Marks entries as on their way out: nothing brings them back from here on. Recorded before a byte goes, so that what
 * cannot be recorded does not happen; `eraseEntry` does the rest, again after a crash.
 */
export async function beginPurge(
  deps: Pick<Dependencies, 'write'>,
  context: WriteContext,
  organizationId: string,
  choose: (trx: Transaction<Tables>) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return deps.write(context, async ({ trx, audit }) => {
    const ids = await choose(trx)
    await sql`update bin_entries set purge_began_date = now() where id = any(${[...ids]}::uuid[])`.execute(trx)
    const certificates = await listCertificates(trx, ids)
    const of = (key: 'series_uid' | 'study_uid') => [...new Set(certificates.map((row) => row[key]))].sort()
    await audit({
      event: 'ScansPurged',
      organizationId,
      subject: {
        series: of('series_uid'),
        studies: of('study_uid'),
        instances: certificates.reduce((sum, row) => sum + row.instances, 0),
        bytes: certificates.reduce((sum, row) => sum + Number(row.byte_size), 0),
      },
    })
    return ids
  })
}

/** What a person chose; refused while one of the studies is held. */
export const chooseEntries =
  (organizationId: string, ids: readonly string[], asker: Asker) => async (trx: Transaction<Tables>) => {
    const entries = await lockEntries(trx, organizationId, ids)
    const studies = entries.map((entry) => entry.study_uid)
    await assertNotHeld(trx, organizationId, studies, asker)
    return entries.map(({ id }) => id)
  }

/** The hash is that of lines `SOP instance UID, space, SHA-256 of the object`, in the order of the UIDs. */
async function listCertificates(trx: Transaction<Tables>, ids: readonly string[]): Promise<readonly Certificate[]> {
  const { rows } = await sql<Certificate>`
    select e.id, e.organization_id, e.study_uid, e.series_uid, count(i.sop_instance_uid)::int as instances,
      coalesce(sum(i.byte_size), 0)::text as byte_size,
      encode(sha256(convert_to(coalesce(string_agg(i.sop_instance_uid || ' ' || i.sha256, E'\n'
        order by i.sop_instance_uid), ''), 'UTF8')), 'hex') as sha256
    from bin_entries e left join bin_instances i on i.entry_id = e.id
    where e.id = any(${[...ids]}::uuid[]) group by e.id order by e.id`.execute(trx)
  return rows
}

class ErasedAlready extends Error {}

/** Removes the bytes of an entry, looks whether they are gone, and only then forgets and certifies it. */
export async function eraseEntry(
  { db, objects, write }: Pick<Dependencies, 'db' | 'objects' | 'write'>,
  context: WriteContext,
  id: string,
): Promise<void> {
  const rows = await db
    .selectFrom('bin_instances')
    .select(['object_key', 'byte_size'])
    .where('entry_id', '=', id)
    .execute()
  for (let done = 0; done < rows.length; done += objectsAtOnce)
    await objects.remove(rows.slice(done, done + objectsAtOnce).map((row) => row.object_key))
  await forEachInLanes(looksAtOnce, rows, async ({ object_key, byte_size }) => {
    if (await objects.holds(object_key, Number(byte_size)))
      throw new Error('The store still holds an object that it was told to remove.')
  })
  const erase = write(context, async ({ trx, audit }) => {
    const [certificate] = await listCertificates(trx, [id])
    const { numDeletedRows } = await trx.deleteFrom('bin_entries').where('id', '=', id).executeTakeFirst()
    if (!certificate || numDeletedRows === 0n) throw new ErasedAlready()
    const { organization_id: organizationId, byte_size: bytes, instances, sha256 } = certificate
    await removeUnusedCommon(trx, organizationId, [certificate.series_uid])
    await sql`update bin_totals set byte_size = byte_size - ${bytes}::bigint
      where organization_id = ${organizationId}`.execute(trx)
    const scans = { series: [certificate.series_uid], studies: [certificate.study_uid] }
    await audit({
      event: 'ScansErased',
      organizationId,
      subject: { ...scans, instances, bytes: Number(bytes), sha256 },
    })
  })
  await erase.catch((cause: unknown) => {
    // Another server was faster; its row says the same.
    if (!(cause instanceof ErasedAlready)) throw cause
  })
}

const request = { id: 'bin', ip: 'this server' } as const

/** Lets go what has been in the bin long enough, and goes on with what a crash interrupted. */
export async function purgeDue(deps: Dependencies): Promise<void> {
  const { db, settings } = deps
  for (;;) {
    const { rows } = await sql<{ organization_id: string }>`
      select organization_id from bin_entries e where ${isDue(settings.binDays)} limit 1`.execute(db)
    const [next] = rows
    if (!next) break
    const { organization_id: organizationId } = next
    const ids = await beginPurge(deps, { request }, organizationId, async (trx) => {
      const due = await sql<{ id: string }>`select id from bin_entries e
        where organization_id = ${organizationId} and ${isDue(settings.binDays)}
        order by id limit ${entriesAtOnce} for update`.execute(trx)
      // Somebody held their studies meanwhile: whoever does locks them first.
      const free = await sql<{ id: string }>`select id from bin_entries e
        where id = any(${due.rows.map(({ id }) => id)}::uuid[]) and ${isDue(settings.binDays)}`.execute(trx)
      return free.rows.map(({ id }) => id)
    })
    for (const id of ids) await eraseEntry(deps, { request }, id)
  }
  const begun = await db.selectFrom('bin_entries').select('id').where('purge_began_date', 'is not', null).execute()
  for (const { id } of begun) await eraseEntry(deps, { request }, id)
}

const isDue = (binDays: number) => sql`e.purge_began_date is null
  and e.deleted_date <= now() - make_interval(days => ${binDays}::int)
  and not exists (select 1 from legal_holds h where h.organization_id = e.organization_id
    and h.study_uid = e.study_uid and h.ended_date is null)`

export function startPurging(deps: Dependencies): Hourly {
  return goHourly(
    () => purgeDue(deps),
    (cause) => deps.log.error({ reason: reasonOf(cause) }, 'deleted scans are still to leave the bin'),
  )
}
