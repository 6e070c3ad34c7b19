import { limits, may, permits, roleNames, type complaint } from '@dmp/contract'
import type { ComplaintCare } from '@dmp/contract/complaint'
import { rightsOfRole } from '@dmp/contract/policy'
import { Refusal } from '../../core/errors.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { nextUpdatedDate, refuseIfChanged } from '../../db/changeConflict.ts'
import type { Db } from '../../db/client.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { fullName } from '../../identity/user.ts'
import { getComplaintRow, lockComplaint, type ComplaintRecord } from './complaint.repository.ts'

type Care = Pick<Handlers<typeof complaint>, 'getCare' | 'listAssignees' | 'assign' | 'addMessage'>

/** Who has a complaint in hand, until when, and what its writer and the staff say to each other. */
export const careHandlers = ({ db, write }: Dependencies): Care => ({
  getCare: async ({ id }, { viewer }) => toCare(db, viewer, await getComplaintRow(db, viewer, id)),

  listAssignees: async () => (await listHandlers(db)).map((user) => ({ id: user.id, fullName: fullName(user) })),

  assign: (change, context) => write(context, (step) => assign(step, context.viewer, change)),

  addMessage: (message, context) => write(context, (step) => addMessage(step, context.viewer, message)),
})

async function assign(
  { trx, audit }: Write,
  viewer: Viewer,
  { id, assigneeId, dueDate, seenUpdatedDate }: Parameters<Care['assign']>[0],
): Promise<ComplaintCare> {
  const previous = await lockComplaint(trx, viewer, id)
  const wantedId = assigneeId?.toLowerCase() ?? null
  // Whoever has it in hand may have been deactivated since then: its due day can change all the same.
  const isSame = wantedId === previous.assignee_id
  const assignee = wantedId === null || isSame ? undefined : await findHandler(trx, wantedId)
  const now = assignedDateOf(previous)
  refuseIfChanged('who has this complaint in hand', now, seenUpdatedDate, () => [
    {
      path: 'assigneeId',
      now: previous.assignee,
      wanted: isSame ? previous.assignee : assignee ? fullName(assignee) : null,
    },
    { path: 'dueDate', now: previous.due_date, wanted: dueDate },
  ])
  const columns = { assignee_id: wantedId, due_date: dueDate, assigned_date: nextUpdatedDate(now) }
  await trx.updateTable('complaints').set(columns).where('id', '=', previous.id).execute()
  await audit({
    event: 'ComplaintAssigned',
    organizationId: previous.organization_id,
    subject: {
      complaintId: previous.id,
      assigneeId: wantedId,
      previousAssigneeId: previous.assignee_id,
      dueDate,
    },
  })
  return toCare(trx, viewer, await getComplaintRow(trx, viewer, id))
}

async function addMessage(
  { trx, audit }: Write,
  viewer: Viewer,
  { id, text }: Parameters<Care['addMessage']>[0],
): Promise<ComplaintCare> {
  const row = await lockComplaint(trx, viewer, id)
  if (!takesPart(viewer, row))
    throw new Refusal(403, 'NOT_ALLOWED', 'Only whoever made this complaint and those who handle it write here.')
  const { count } = await trx
    .selectFrom('complaint_messages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('complaint_id', '=', row.id)
    .executeTakeFirstOrThrow()
  const position = Number(count) + 1
  if (position > limits.complaintMostMessages)
    throw new Refusal(
      409,
      'TOO_MANY_MESSAGES',
      `This conversation has ${limits.complaintMostMessages} messages, which is the most. Please make a new complaint.`,
    )
  const { id: messageId } = await trx
    .insertInto('complaint_messages')
    .values({
      complaint_id: row.id,
      position,
      created_by_id: viewer.userId,
      created_by: viewer.fullName,
      text,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit({
    event: 'ComplaintAnswered',
    organizationId: row.organization_id,
    subject: { complaintId: row.id, messageId, isFromWriter: row.created_by_id === viewer.userId },
  })
  return toCare(trx, viewer, row)
}

/** Whoever made it, and those who may change its status. */
const takesPart = ({ userId, policy }: Viewer, row: ComplaintRecord): boolean =>
  row.created_by_id === userId || permits(policy, may('Complaint', 'UpdateStatus'))

/** A complaint that nobody was assigned to has stood like that since it was made. */
const assignedDateOf = (row: ComplaintRecord): Date => row.assigned_date ?? row.created_date

async function toCare(db: Db, viewer: Viewer, row: ComplaintRecord): Promise<ComplaintCare> {
  const mayWrite = takesPart(viewer, row)
  const messages = await db
    .selectFrom('complaint_messages')
    .selectAll()
    .where('complaint_id', '=', row.id)
    .orderBy('position')
    .limit(limits.complaintMostMessages)
    .execute()
  return {
    assignee:
      row.assignee_id === null || row.assignee === null ? null : { id: row.assignee_id, fullName: row.assignee },
    dueDate: row.due_date,
    isOverdue: row.is_overdue,
    updatedDate: assignedDateOf(row).toISOString(),
    mayWrite,
    messages: (mayWrite ? messages : []).map((message) => ({
      id: message.id,
      createdByUser: message.created_by,
      createdDate: message.created_date.toISOString(),
      isFromWriter: message.created_by_id === row.created_by_id,
      text: message.text,
    })),
  }
}

const handlingRoles = roleNames.filter((role) => rightsOfRole[role].Complaint?.includes('UpdateStatus'))

const handlers = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'civility', 'first_name', 'last_name'])
    .where('role', 'in', handlingRoles)
    .where('status', '=', 'Activated')

const listHandlers = (db: Db) =>
  handlers(db).orderBy('last_name').orderBy('first_name').orderBy('id').limit(limits.maxPageSize).execute()

async function findHandler(db: Db, id: string) {
  const handler = await handlers(db).where('id', '=', id).executeTakeFirst()
  if (handler) return handler
  const message = 'Could not find assignee with given id'
  throw new Refusal(404, 'NOT_FOUND', message, [{ path: 'assigneeId', message }])
}
