import { sql, type Transaction } from 'kysely'
import type { Listing, Parsed } from '@dmp/contract'
import {
  moduleAliases,
  type Complaint,
  type ComplaintRow,
  type Lookup,
  type StatusEntry,
  type StatusName,
  type list,
} from '@dmp/contract/complaint'
import type { Db } from '../../db/client.ts'
import { nextUpdatedDate } from '../../db/changeConflict.ts'
import { day, listed, text } from '../../db/listing.ts'
import { waitedFor } from '../../db/waits.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import { toDataURL, type CleanImage } from './complaint.image.ts'

export type LookupName = 'complaint_statuses' | 'complaint_severities' | 'complaint_types'

// 2.48: the shown names of modules come from the contract, so that a search finds what people see.
const alias = sql<string>`case complaints.module ${sql.join(
  Object.entries(moduleAliases).map(([name, shownAlias]) => sql`when ${name} then ${shownAlias}`),
  sql` `,
)} end`
const number = sql`complaints.number::text`
const shownNumber = sql<string>`'C-' || lpad(${number}, greatest(6, length(${number})), '0')`

const assigneeName = sql<string | null>`assignee.civility || ' ' || assignee.first_name || ' ' || assignee.last_name`
/** The day is over everywhere where it began with UTC's. */
const isOverdue = sql<boolean>`(complaints.due_date is not null and status.name <> ${'Resolved'}
  and complaints.due_date < to_char(now() at time zone 'UTC', 'YYYY-MM-DD'))`

/** The complaints of the viewer's organization; the provider's staff get every complaint. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('complaints')
    .innerJoin('complaint_statuses as status', 'status.id', 'complaints.status_id')
    .innerJoin('complaint_severities as severity', 'severity.id', 'complaints.severity_id')
    .innerJoin('complaint_types as type', 'type.id', 'complaints.type_id')
    .select([
      'complaints.id',
      'complaints.organization_id',
      'complaints.created_by_id',
      'complaints.created_by',
      'complaints.description',
      'complaints.created_date',
      'complaints.updated_date',
    ])
    .select([
      'complaints.status_id',
      'complaints.severity_id',
      'status.name as status',
      'severity.name as severity',
      'type.name as type',
    ])
    .innerJoin('organizations as organization', 'organization.id', 'complaints.organization_id')
    .select('organization.name as organization')
    .leftJoin('users as assignee', 'assignee.id', 'complaints.assignee_id')
    .select(['complaints.assignee_id', 'complaints.due_date', 'complaints.assigned_date'])
    .select([assigneeName.as('assignee'), isOverdue.as('is_overdue')])
    .select([alias.as('module_alias'), shownNumber.as('shown_number')])
  return visibleTo(rows, viewer, 'complaints.organization_id')
}

export type ComplaintRecord = Awaited<ReturnType<ReturnType<typeof visible>['executeTakeFirstOrThrow']>>

const toComplaintRow = (row: ComplaintRecord): ComplaintRow => ({
  id: row.id,
  complaintNumber: row.shown_number,
  createdByUser: row.created_by,
  moduleAlias: row.module_alias,
  type: row.type,
  description: row.description,
  createdDate: row.created_date.toISOString(),
  updatedDate: row.updated_date.toISOString(),
  severity: row.severity,
  currentStatus: row.status,
  assignee: row.assignee,
  dueDate: row.due_date,
  isOverdue: row.is_overdue,
  organization: row.organization,
})

/** 4.01: the status of a complaint that needs no more work. */
export const resolved: StatusName = 'Resolved'

export async function listComplaints(
  db: Db,
  viewer: Viewer,
  input: Parsed<typeof list>,
): Promise<Listing<ComplaintRow>> {
  const complaints = visible(db, viewer)
  const open = complaints.where('status.name', '!=', resolved)
  const ofState = {
    open,
    mine: open.where('complaints.assignee_id', '=', viewer.userId),
    overdue: complaints.where(isOverdue),
  }
  const chosen = input.state === undefined ? complaints : ofState[input.state]
  const waiting =
    input.wait === undefined
      ? chosen
      : chosen.where('status.name', '!=', resolved).where(waitedFor(sql.ref('complaints.created_date'), input.wait))
  const { rows, total } = await listed(waiting, input, {
    shown: [
      shownNumber,
      sql.ref<string>('status.name'),
      alias,
      sql.ref<string>('severity.name'),
      sql.ref<string>('type.name'),
      sql.ref<string>('complaints.description'),
      day(sql.ref('complaints.created_date'), input),
      // For everybody else it would be in every row.
      ...(viewer.isInternal ? [sql.ref<string>('organization.name')] : []),
    ],
    sorts: {
      complaintNumber: sql.ref('complaints.number'),
      status: text(sql.ref('status.name')),
      module: text(alias),
      severity: text(sql.ref('severity.name')),
      type: text(sql.ref('type.name')),
      description: text(sql.ref('complaints.description')),
      createdDate: sql.ref('complaints.created_date'),
      organization: text(sql.ref('organization.name')),
    },
    otherwise: [sql`complaints.created_date desc`, sql`complaints.number desc`],
  })
  return { rows: rows.map(toComplaintRow), total }
}

export async function getComplaintRow(db: Db, viewer: Viewer, id: string): Promise<ComplaintRecord> {
  const row = await visible(db, viewer).where('complaints.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export async function getComplaint(db: Db, viewer: Viewer, id: string): Promise<Complaint> {
  return toComplaint(db, await getComplaintRow(db, viewer, id))
}

/** Adds the history, newest first, and the image (3.10). */
export async function toComplaint(db: Db, row: ComplaintRecord): Promise<Complaint> {
  const history = await db
    .selectFrom('complaint_history as entry')
    .innerJoin('complaint_statuses as status', 'status.id', 'entry.status_id')
    .select(['entry.id', 'status.name as status', 'entry.created_by', 'entry.created_date', 'entry.comment'])
    .where('entry.complaint_id', '=', row.id)
    .orderBy('entry.position', 'desc')
    .execute()
  const image = await db
    .selectFrom('complaint_images')
    .selectAll()
    .where('complaint_id', '=', row.id)
    .executeTakeFirst()
  const statusList = history.map((entry): StatusEntry => ({
    id: entry.id,
    status: entry.status,
    createdByUser: entry.created_by,
    createdDate: entry.created_date.toISOString(),
    comment: entry.comment,
  }))
  return { ...toComplaintRow(row), statusList, imageData: image ? toComplaintImage(image) : null }
}

function toComplaintImage({ filename, media_type, content }: Tables['complaint_images']) {
  const bytes = Buffer.from(content)
  return { filename, filesize: bytes.length, fileDataURL: toDataURL({ mediaType: media_type, content: bytes }) }
}

/**
 * Locks the complaint until the transaction ends, so that simultaneous changes wait for each other. The row is read
 * after the lock: a locking join would lose a complaint whose status changed while it waited.
 */
export async function lockComplaint(trx: Transaction<Tables>, viewer: Viewer, id: string): Promise<ComplaintRecord> {
  const rows = trx.selectFrom('complaints').select('id').where('id', '=', id).forUpdate()
  await visibleTo(rows, viewer, 'organization_id').execute()
  return getComplaintRow(trx, viewer, id)
}

/** 3.09: the active choices, in their order. */
export async function listLookup(db: Db, name: LookupName): Promise<Lookup[]> {
  const rows = await db.selectFrom(name).selectAll().where('is_active', '=', true).orderBy('position').execute()
  return rows.map((row) => ({ id: row.id, name: row.name, isDefault: row.is_default, isActive: row.is_active }))
}

export async function findLookup(db: Db, name: LookupName, id: string): Promise<Lookup | undefined> {
  return (await listLookup(db, name)).find((choice) => choice.id === id.toLowerCase())
}

export async function getDefaultLookup(db: Db, name: LookupName): Promise<Lookup> {
  const choices = await listLookup(db, name)
  const choice = choices.find(({ isDefault }) => isDefault) ?? choices[0]
  if (!choice) throw new Error(`${name} is empty`)
  return choice
}

export interface NewComplaint {
  organizationId: string
  createdById: string
  createdBy: string
  module: Tables['complaints']['module']
  typeId: string
  description: string
  image: CleanImage | null
  at: Date
}

/** Complaint numbers have no gaps: a transaction waits here until the one before it ends. */
async function nextNumber(trx: Transaction<Tables>): Promise<number> {
  const { last } = await trx
    .updateTable('complaint_numbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export async function addComplaint(trx: Transaction<Tables>, { image, at, ...draft }: NewComplaint): Promise<string> {
  const status = await getDefaultLookup(trx, 'complaint_statuses')
  const severity = await getDefaultLookup(trx, 'complaint_severities')
  const author = {
    created_by_id: draft.createdById,
    created_by: draft.createdBy,
    status_id: status.id,
    created_date: at,
  }
  const { id } = await trx
    .insertInto('complaints')
    .values({
      ...author,
      number: await nextNumber(trx),
      organization_id: draft.organizationId,
      module: draft.module,
      type_id: draft.typeId,
      severity_id: severity.id,
      description: draft.description,
      updated_date: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('complaint_history')
    .values({ ...author, complaint_id: id, position: 1, comment: null })
    .execute()
  if (image)
    await trx
      .insertInto('complaint_images')
      .values({ complaint_id: id, filename: image.filename, media_type: image.mediaType, content: image.content })
      .execute()
  return id
}

/** Sets the status and adds an entry to the history (4.01). Returns the changed row. */
export async function addStatus(
  trx: Transaction<Tables>,
  complaint: ComplaintRecord,
  { status, comment, viewer }: { status: Lookup; comment: string; viewer: Pick<Viewer, 'userId' | 'fullName'> },
): Promise<ComplaintRecord> {
  const updatedDate = nextUpdatedDate(complaint.updated_date)
  const { position } = await trx
    .selectFrom('complaint_history')
    .select(sql<number>`max(position)`.as('position'))
    .where('complaint_id', '=', complaint.id)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('complaint_history')
    .values({
      complaint_id: complaint.id,
      position: position + 1,
      status_id: status.id,
      created_by_id: viewer.userId,
      created_by: viewer.fullName,
      comment,
      created_date: updatedDate,
    })
    .execute()
  const columns = { status_id: status.id, updated_date: updatedDate }
  await trx.updateTable('complaints').set(columns).where('id', '=', complaint.id).execute()
  return { ...complaint, ...columns, status: status.name as StatusName }
}
