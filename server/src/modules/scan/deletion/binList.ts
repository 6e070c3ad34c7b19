import type { Answer, Listing, Parsed, scan } from '@dmp/contract'
import type { BinEntry } from '@dmp/contract/scan'
import { sql } from 'kysely'
import type { Viewer } from '../../../core/context.ts'
import type { Db } from '../../../db/client.ts'
import { day, listed, text } from '../../../db/listing.ts'
import { toImageInstances } from '../imageInstances.ts'

const dayMs = 86_400_000
const mostDeletions = 20

const patientName = sql<string>`(entry.series ->> 'patient_name')`
const patientID = sql<string>`(entry.series ->> 'patient_id')`
const description = sql<string>`(entry.series ->> 'description')`
const modality = sql<string>`(entry.series ->> 'modality')`
const studyDescription = sql<string>`coalesce(entry.study -> 'attributes' -> '00081030' -> 'Value' ->> 0, '')`

/** What can still be taken back. */
const entries = (db: Db, organizationId: string) =>
  db
    .selectFrom('bin_entries as entry')
    // Its organization and the provider may both hold a study: it is one entry, with the hold that lasts.
    .leftJoinLateral(
      (source) =>
        source
          .selectFrom('legal_holds')
          .select(['id', 'reason', 'held_by_user', 'held_date'])
          .whereRef('legal_holds.organization_id', '=', 'entry.organization_id')
          .whereRef('legal_holds.study_uid', '=', 'entry.study_uid')
          .where('legal_holds.ended_date', 'is', null)
          .orderBy('is_by_provider', 'desc')
          .orderBy('id')
          .limit(1)
          .as('hold'),
      (join) => join.onTrue(),
    )
    .select([
      'entry.id',
      'entry.organization_id',
      'entry.study_uid',
      'entry.series_uid',
      'entry.sop_instance_uid',
      'entry.images',
      'entry.instances',
      'entry.byte_size',
      'entry.deleted_date',
      'entry.deleted_by_user',
      'hold.id as hold_id',
      'hold.reason',
      'hold.held_by_user',
      'hold.held_date',
    ])
    .select([
      patientName.as('patient_name'),
      patientID.as('patient_id'),
      description.as('description'),
      modality.as('modality'),
      studyDescription.as('study_description'),
    ])
    .where('entry.organization_id', '=', organizationId)
    .where('entry.purge_began_date', 'is', null)

type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>

export async function listBin(
  db: Db,
  organizationId: string,
  binDays: number,
  input: Parsed<typeof scan.listBin>,
): Promise<Listing<BinEntry>> {
  const { rows, total } = await listed(entries(db, organizationId), input, {
    shown: [
      patientName,
      patientID,
      studyDescription,
      description,
      modality,
      sql<string>`entry.study_uid`,
      sql<string>`entry.series_uid`,
      sql<string>`entry.deleted_by_user`,
      day(sql.ref('entry.deleted_date'), input),
    ],
    sorts: {
      deletedDate: sql.ref('entry.deleted_date'),
      patientName: text(patientName),
      seriesDescription: text(description),
      images: sql`case when entry.images > 0 then entry.instances else 0 end`,
      bytes: sql.ref('entry.byte_size'),
      deletedByUser: text(sql<string>`entry.deleted_by_user`),
    },
    otherwise: [sql`entry.deleted_date desc`, sql`entry.id`],
  })
  return { rows: rows.map((row) => toBinEntry(row, binDays)), ...(total === undefined ? {} : { total }) }
}

/** Deletions of series as the person made them, of those that nothing was deleted after, within a day. */
export async function listLatestDeletions(
  db: Db,
  { userId, organizationId, isInternal }: Viewer,
  binDays: number,
): Promise<Answer<typeof scan.listOwnDeletions>> {
  if (binDays === 0) return []
  const { rows } = await sql<{ organization_id: string; deleted_date: Date; series: string[] }>`
    select organization_id, deleted_date, array_agg(distinct series_uid) as series from bin_entries entry
    where deleted_by = ${userId} and sop_instance_uid is null and purge_began_date is null
      and deleted_date > now() - interval '1 day'
      and (${isInternal}::boolean or organization_id = ${organizationId})
      and not exists (select 1 from bin_entries later where later.organization_id = entry.organization_id
        and later.series_uid = entry.series_uid and later.deleted_date > entry.deleted_date)
    group by organization_id, deleted_date order by deleted_date desc limit ${mostDeletions}`.execute(db)
  return rows.map((row) => ({
    organizationId: row.organization_id,
    seriesIdList: row.series,
    deletedDate: row.deleted_date.toISOString(),
  }))
}

function toBinEntry(row: EntryRow, binDays: number): BinEntry {
  const { hold_id: id, reason, held_by_user: heldByUser, held_date: heldDate } = row
  const isHeld = id !== null && reason !== null && heldByUser !== null && heldDate !== null
  return {
    id: row.id,
    organizationId: row.organization_id,
    studyUID: row.study_uid,
    seriesUID: row.series_uid,
    sopInstanceUID: row.sop_instance_uid,
    patientName: row.patient_name,
    patientID: row.patient_id,
    studyDescription: row.study_description,
    seriesDescription: row.description,
    modality: row.modality,
    images: row.images,
    imageInstances: toImageInstances(row),
    bytes: Number(row.byte_size),
    deletedDate: row.deleted_date.toISOString(),
    deletedByUser: row.deleted_by_user,
    purgeDate: isHeld ? null : new Date(row.deleted_date.getTime() + binDays * dayMs).toISOString(),
    hold: isHeld ? { id, reason, heldByUser, heldDate: heldDate.toISOString() } : null,
  }
}
