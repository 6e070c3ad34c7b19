import { permits, type Listing, type Parsed, type scan } from '@dmp/contract'
import type { LegalHold } from '@dmp/contract/scan'
import { sql, type Selectable, type Transaction } from 'kysely'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/context.ts'
import type { Db, Source } from '../../../db/client.ts'
import { day, listed, text } from '../../../db/listing.ts'
import type { LegalHoldTable } from '../../../db/tables/bin.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { WriteContext } from '../../../db/write.ts'

/** Who is refused: may they know who holds a study, and why? */
export interface Asker {
  readonly mayKnow: boolean
}

export const toAsker = ({ viewer }: WriteContext): Asker => ({
  mayKnow: viewer ? 'policy' in viewer && permits((viewer as Viewer).policy, holdPermission) : false,
})

const holdPermission = { module: 'Scan', action: 'Hold' } as const

/** After the rows of the studies are locked: whoever sets a hold locks them first. */
export async function assertNotHeld(
  trx: Transaction<Tables>,
  organizationId: string,
  studyUIDs: readonly string[],
  asker: Asker | null,
): Promise<void> {
  const hold = await trx
    .selectFrom('legal_holds')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('study_uid', 'in', [...studyUIDs])
    .where('ended_date', 'is', null)
    // Of two on one study the one that only the provider ends is named.
    .orderBy('is_by_provider', 'desc')
    .orderBy('held_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (hold) throw refuse(hold, asker)
}

function refuse(hold: Selectable<LegalHoldTable>, asker: Asker | null): Refusal {
  if (!asker?.mayKnow)
    return new Refusal(
      409,
      'LEGAL_HOLD',
      'A study among these is under legal hold, so nothing was deleted. Ask an administrator of your organization.',
    )
  const { held_by_user: heldByUser, reason } = hold
  const since = hold.held_date.toISOString().slice(0, 10)
  return new Refusal(
    409,
    'LEGAL_HOLD',
    `Nothing was deleted: ${heldByUser} put a study among these under legal hold on ${since}. The reason is “${reason}”.`,
  )
}

export async function isSeriesHeld(source: Source, organizationId: string, seriesUID: string): Promise<boolean> {
  const { rows } = await sql`select 1 from series s join legal_holds h using (organization_id, study_uid)
    where s.organization_id = ${organizationId} and s.series_uid = ${seriesUID} and h.ended_date is null
    limit 1`.execute(source)
  return rows.length > 0
}

/** Locks what there is of a study, also in the bin; 404 when there is nothing. */
export async function lockStudy(trx: Transaction<Tables>, organizationId: string, studyUID: string): Promise<void> {
  const isOfStudy = sql`organization_id = ${organizationId} and study_uid = ${studyUID}`
  const lockStored = async (): Promise<number> =>
    (await sql`select 1 from studies where ${isOfStudy} for update`.execute(trx)).rows.length
  const stored = await lockStored()
  // A deletion that was waited for has moved it there.
  const binned = await sql`select 1 from bin_entries where ${isOfStudy} and purge_began_date is null
    order by id for update`.execute(trx)
  // And a restoration that was waited for has moved it back.
  if (stored + binned.rows.length === 0 && (await lockStored()) === 0) throw notFound()
}

interface NewHold {
  readonly organizationId: string
  readonly studyUID: string
  readonly reason: string
  readonly viewer: Viewer
}

export async function addHold(
  trx: Transaction<Tables>,
  { organizationId, studyUID, reason, viewer }: NewHold,
): Promise<string> {
  const row = await trx
    .insertInto('legal_holds')
    .values({
      organization_id: organizationId,
      study_uid: studyUID,
      reason,
      is_by_provider: viewer.isInternal,
      held_by: viewer.userId,
      held_by_user: viewer.fullName,
      ended_by_user: null,
      ended_date: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // The other side's hold is another one: whoever sets it may end it at any time.
  if (!row) throw new Refusal(409, 'UNCHANGED', 'This study is under legal hold already.')
  return row.id
}

/** Ends a hold that is in force; 409 when it has ended meanwhile. */
export async function endHold(trx: Transaction<Tables>, id: string, { fullName }: Viewer): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('legal_holds')
    .set({ ended_by_user: fullName, ended_date: new Date() })
    .where('id', '=', id)
    .where('ended_date', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal(409, 'UNCHANGED', 'This legal hold has ended already.')
}

const holds = (db: Db) =>
  db
    .selectFrom('legal_holds as hold')
    .leftJoin('studies as study', (join) =>
      join.onRef('study.organization_id', '=', 'hold.organization_id').onRef('study.study_uid', '=', 'hold.study_uid'),
    )
    .selectAll('hold')
    .select([
      sql<string | null>`${patientName}`.as('patient_name'),
      sql<string | null>`${studyDescription}`.as('study_description'),
      sql<string | null>`(select min(series_uid) from series s where s.organization_id = hold.organization_id
        and s.study_uid = hold.study_uid)`.as('series_uid'),
    ])

const binned = (value: string) =>
  sql.raw<string>(`(select ${value} from bin_entries b where b.organization_id = hold.organization_id
    and b.study_uid = hold.study_uid limit 1)`)
const patientName = sql<string>`coalesce((select min(s.patient_name) from series s
  where s.organization_id = hold.organization_id and s.study_uid = hold.study_uid),
  ${binned(`b.series ->> 'patient_name'`)}, '')`
const described = `-> '00081030' -> 'Value' ->> 0`
const studyDescription = sql<string>`coalesce(${sql.raw(`study.attributes ${described}`)},
  ${binned(`b.study -> 'attributes' ${described}`)}, '')`

export async function listHolds(
  db: Db,
  organizationId: string,
  input: Parsed<typeof scan.listHolds>,
): Promise<Listing<LegalHold>> {
  const ofOrganization = holds(db).where('hold.organization_id', '=', organizationId)
  const asked =
    input.studyUID === undefined
      ? ofOrganization.where('hold.ended_date', 'is', null)
      : ofOrganization.where('hold.study_uid', '=', input.studyUID)
  const { rows, total } = await listed(asked, input, {
    shown: [
      patientName,
      studyDescription,
      sql<string>`hold.reason`,
      sql<string>`hold.held_by_user`,
      sql<string>`hold.study_uid`,
      day(sql.ref('hold.held_date'), input),
    ],
    sorts: {
      heldDate: sql.ref('hold.held_date'),
      patientName: text(patientName),
      heldByUser: text(sql<string>`hold.held_by_user`),
    },
    otherwise: [sql`hold.held_date desc`, sql`hold.id`],
  })
  return { rows: rows.map(toHold), ...(total === undefined ? {} : { total }) }
}

export async function getHold(db: Db, id: string): Promise<LegalHold> {
  const row = await holds(db).where('hold.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toHold(row)
}

type HoldRow = Selectable<LegalHoldTable> & {
  patient_name: string | null
  study_description: string | null
  series_uid: string | null
}

const toHold = (row: HoldRow): LegalHold => ({
  id: row.id,
  organizationId: row.organization_id,
  studyUID: row.study_uid,
  patientName: row.patient_name ?? '',
  studyDescription: row.study_description ?? '',
  seriesUID: row.series_uid,
  reason: row.reason,
  heldByUser: row.held_by_user,
  isByProvider: row.is_by_provider,
  heldDate: row.held_date.toISOString(),
  endedDate: row.ended_date?.toISOString() ?? null,
  endedByUser: row.ended_by_user,
})
