import { sql, type Transaction } from 'kysely'
import type { Listing, Parsed, scan } from '@dmp/contract'
import type { Conflict } from '@dmp/contract/scan'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import { day, listed, text } from '../../../db/listing.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { fullName } from '../../../identity/user.ts'
import { toConflictSide } from './foundConflict.ts'

/** A conflict with its stored side as it is now, and the names of the people. */
function conflicts(db: Db) {
  return db
    .selectFrom('scan_conflicts as conflict')
    .innerJoin('studies as study', (join) =>
      join
        .onRef('study.organization_id', '=', 'conflict.organization_id')
        .onRef('study.study_uid', '=', 'conflict.study_uid'),
    )
    .leftJoin('series', (join) =>
      join
        .onRef('series.organization_id', '=', 'conflict.organization_id')
        .onRef('series.series_uid', '=', 'conflict.series_uid'),
    )
    .leftJoin('users as sender', 'sender.id', 'conflict.sent_by')
    .leftJoin('users as settler', 'settler.id', 'conflict.settled_by')
    .select([
      'conflict.id',
      'conflict.organization_id',
      'conflict.kind',
      'conflict.is_stored',
      'conflict.objects',
      'conflict.study_uid',
      'conflict.series_uid',
      'conflict.arrived',
      'conflict.source',
      'conflict.sender',
      'conflict.created_date',
      'conflict.last_date',
      'conflict.settled_date',
      'study.attributes as study_attributes',
      'series.attributes as series_attributes',
      'sender.civility as sender_civility',
      'sender.first_name as sender_first_name',
      'sender.last_name as sender_last_name',
      'settler.civility as settler_civility',
      'settler.first_name as settler_first_name',
      'settler.last_name as settler_last_name',
    ])
    .select((eb) =>
      eb
        .selectFrom('scan_conflict_objects as object')
        .select((of) => of.fn.min('object.sop_instance_uid').as('uid'))
        .whereRef('object.conflict_id', '=', 'conflict.id')
        .as('instance_uid'),
    )
}

type ConflictRecord = Awaited<ReturnType<ReturnType<typeof conflicts>['executeTakeFirstOrThrow']>>

/** The alphabetic name; the search takes DICOM's spelling with ^ and the one that is shown. */
const storedName = sql<string>`study.patient_name`
const arrivedName = sql<string>`conflict.arrived ->> 'patientName'`
const spaced = sql<string>`replace(replace(study.patient_name, '^', ', '), ', , ', ', ')`

export async function listConflicts(
  db: Db,
  organizationId: string,
  input: Parsed<typeof scan.listConflicts>,
): Promise<Listing<Conflict>> {
  const all = conflicts(db).where('conflict.organization_id', '=', organizationId)
  const asked =
    input.state === undefined ? all : all.where('conflict.settled_date', input.state === 'open' ? 'is' : 'is not', null)
  const { rows, total } = await listed(asked, input, {
    shown: [
      storedName,
      spaced,
      arrivedName,
      sql<string>`study.patient_id`,
      sql<string>`conflict.arrived ->> 'patientID'`,
      sql<string>`conflict.study_uid`,
      sql<string>`conflict.arrived ->> 'studyUID'`,
      sql<string>`conflict.arrived ->> 'seriesUID'`,
      sql<string>`conflict.source`,
      day(sql.ref('conflict.last_date'), input),
    ],
    sorts: {
      lastDate: sql.ref('conflict.last_date'),
      kind: sql.ref('conflict.kind'),
      patientName: text(storedName),
      arrivedPatientName: text(arrivedName),
      objects: sql.ref('conflict.objects'),
    },
    otherwise: [sql`conflict.last_date desc`, sql`conflict.id`],
  })
  return { rows: rows.map(toConflict), ...(total === undefined ? {} : { total }) }
}

export async function getConflict(db: Db, id: string): Promise<Conflict> {
  const row = await conflicts(db).where('conflict.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toConflict(row)
}

export async function settleConflict(trx: Transaction<Tables>, id: string, userId: string): Promise<void> {
  await trx
    .updateTable('scan_conflicts')
    .set({ settled_date: new Date(), settled_by: userId })
    .where('id', '=', id)
    .execute()
}

const toFullName = (civility: string | null, firstName: string | null, lastName: string | null): string | null =>
  civility === null || firstName === null || lastName === null
    ? null
    : fullName({ civility, first_name: firstName, last_name: lastName })

const toConflict = (row: ConflictRecord): Conflict => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  isStored: row.is_stored,
  objects: row.objects,
  instanceUID: row.instance_uid ?? '',
  stored: toConflictSide(row.study_attributes, row.series_attributes ?? {}, {
    studyUID: row.study_uid,
    seriesUID: row.series_uid,
  }),
  arrived: row.arrived,
  source: row.source,
  sender: row.sender,
  sentByUser: toFullName(row.sender_civility, row.sender_first_name, row.sender_last_name),
  createdDate: row.created_date.toISOString(),
  lastDate: row.last_date.toISOString(),
  settledDate: row.settled_date?.toISOString() ?? null,
  settledByUser: toFullName(row.settler_civility, row.settler_first_name, row.settler_last_name),
})
