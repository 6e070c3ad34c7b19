import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Comment, Instant, ChosenId, Uuid, atMost, maybe, required, seenUpdatedDate, exact } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'
import { Wait } from './waits.ts'
export { moduleAliases } from './moduleAliases.ts'
export { countOpen } from './openComplaints.ts'

const Text = v.string('Text.')

/** 4.01, in the order of a complaint's life. */
export const statusNames = ['New', 'OnHold', 'Pending', 'InProgress', 'Resolved'] as const
export type StatusName = (typeof statusNames)[number]
/** 4.02, mildest first. */
export const severityNames = ['Low', 'Medium', 'High', 'Critical'] as const
export type SeverityName = (typeof severityNames)[number]

/** 3.09: statuses, severities, types and regions. */
export const Lookup = v.object({
  id: Uuid,
  name: Text,
  isDefault: v.boolean('Yes or no.'),
  isActive: v.boolean('Yes or no.'),
})
export type Lookup = v.InferOutput<typeof Lookup>

/** 4.01, 4.02: a complaint may change to any status or severity on offer, except the one it has. */
export function mayFollow(current: string, { name, isActive }: Pick<Lookup, 'name' | 'isActive'>): boolean {
  return isActive && name !== current
}

/** 3.10: `fileDataURL` is a data: URL of the image; `filesize` in bytes. */
export const ComplaintImage = exact({
  filename: v.pipe(
    required(),
    v.maxLength(255, () => atMost(255)),
  ),
  filesize: v.pipe(
    v.number('The size must be a number of bytes.'),
    v.integer('The size must be a number of bytes.'),
    v.minValue(1, 'This file is empty.'),
    v.maxValue(limits.complaintImageMaxBytes, 'File size must be less than 2MB.'),
  ),
  fileDataURL: v.pipe(
    v.string('Only image files are allowed.'),
    v.startsWith('data:image/', 'Only image files are allowed.'),
    v.maxLength(2_900_000, 'File size must be less than 2MB.'),
  ),
})
export type ComplaintImage = v.InferOutput<typeof ComplaintImage>

/** 3.10: an entry of the status history. */
export const StatusEntry = v.object({
  id: Uuid,
  status: Text,
  createdByUser: Text,
  createdDate: Instant,
  comment: maybe(Text),
})
export type StatusEntry = v.InferOutput<typeof StatusEntry>

/** 2.48: a row of the complaint list. */
export const ComplaintRow = v.object({
  id: Uuid,
  complaintNumber: Text,
  createdByUser: Text,
  moduleAlias: Text,
  type: Text,
  description: Text,
  createdDate: Instant,
  updatedDate: Instant,
  severity: Text,
  currentStatus: Text,
  /** Who has it in hand, until which day, and whether it is late. Earlier servers do not say. */
  assignee: v.optional(maybe(Text)),
  dueDate: v.optional(maybe(Text)),
  isOverdue: v.optional(v.boolean('True or false.')),
  /** Whose complaint it is. Servers before 1.12 do not say. */
  organization: v.optional(Text),
})
export type ComplaintRow = v.InferOutput<typeof ComplaintRow>

/** 3.10; the history newest first. */
export const Complaint = v.object({
  ...ComplaintRow.entries,
  statusList: v.array(StatusEntry, 'A list.'),
  imageData: maybe(v.object({ filename: Text, filesize: v.number('A number.'), fileDataURL: Text })),
})
export type Complaint = v.InferOutput<typeof Complaint>

/** 2.50, 5.09: the form. `imageData` travels serialized (3.10). */
export const ComplaintDraft = exact({
  typeId: ChosenId,
  moduleId: ChosenId,
  description: v.pipe(
    required(() => 'Please provide details on your complaint.'),
    v.maxLength(limits.complaintDescriptionMaxChars, () => atMost(limits.complaintDescriptionMaxChars)),
    v.check((text) => text.trim() !== '', 'Please provide details on your complaint.'),
  ),
  imageData: v.optional(v.nullable(ComplaintImage), null),
})
export type ComplaintDraft = v.InferOutput<typeof ComplaintDraft>

/** 3.10, 5.10: a new status, with a comment that is not empty. */
export const StatusChange = exact({ statusId: ChosenId, comment: Comment })
export type StatusChange = v.InferOutput<typeof StatusChange>

/** The serialized image of 3.10: JSON text of a ComplaintImage. */
const SerializedImage = v.pipe(
  v.string('The image must be JSON text.'),
  v.maxLength(3_000_000, 'File size must be less than 2MB.'),
  v.parseJson(undefined, 'The image must be JSON text.'),
  ComplaintImage,
)

const notADay = () => 'Give a day as YYYY-MM-DD.'
const Day = v.pipe(
  v.string(notADay),
  v.isoDate(notADay),
  v.check((day) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true, notADay),
)

/** One message between whoever made a complaint and the provider's staff. */
export const ComplaintMessage = v.object({
  id: Uuid,
  createdByUser: Text,
  createdDate: Instant,
  isFromWriter: v.boolean('True or false.'),
  text: Text,
})
export type ComplaintMessage = v.InferOutput<typeof ComplaintMessage>

/** Who has a complaint in hand, until when, and the conversation, oldest first. */
export const ComplaintCare = v.object({
  assignee: maybe(v.object({ id: Uuid, fullName: Text })),
  dueDate: maybe(Text),
  isOverdue: v.boolean('True or false.'),
  /** Of the last assignment: what a change of it was made on. */
  updatedDate: Instant,
  /** Whether the viewer takes part: whoever made the complaint, and the staff who handle it. Others read nothing. */
  mayWrite: v.boolean('True or false.'),
  messages: v.array(ComplaintMessage, 'A list.'),
})
export type ComplaintCare = v.InferOutput<typeof ComplaintCare>

export const ComplaintAnswer = exact({
  text: v.pipe(
    required(() => 'Please write something.'),
    v.maxLength(limits.complaintMessageMaxChars, () => atMost(limits.complaintMessageMaxChars)),
    v.check((text) => text.trim() !== '', 'Please write something.'),
  ),
})
export type ComplaintAnswer = v.InferOutput<typeof ComplaintAnswer>

const byId = exact({ id: Uuid })
const sortable = [
  'complaintNumber',
  'status',
  'module',
  'severity',
  'type',
  'description',
  'createdDate',
  'organization',
] as const

/** All of them are not resolved. */
export const complaintStates = ['open', 'mine', 'overdue'] as const

/** 7.22, 2.48: the complaint list. */
export const list = endpoint({
  method: 'GET',
  path: '/Complaint/list',
  summary: 'Complaints that the viewer may see; with a state those that are open, assigned to the viewer, or overdue.',
  needs: may('Complaint', 'List'),
  query: exact({
    ...pageQuery(sortable),
    state: v.optional(v.picklist(complaintStates, 'The state can be open, mine or overdue.')),
    wait: v.optional(Wait),
  }),
  answer: v.array(ComplaintRow, 'A list.'),
  sortable,
})
/** 7.22, 2.49: the complaint detail. */
export const get = endpoint({
  method: 'GET',
  path: '/Complaint/get',
  summary: 'One complaint with its history and image.',
  needs: may('Complaint', 'Get'),
  query: byId,
  answer: Complaint,
})
/** 7.22: the severities to choose from. */
export const listSeverities = endpoint({
  method: 'GET',
  path: '/Complaint/listSeverities',
  summary: 'Severities.',
  needs: may('Complaint', 'ListSeverities'),
  answer: v.array(Lookup, 'A list.'),
})
/** 7.22: the statuses to choose from. */
export const listStatuses = endpoint({
  method: 'GET',
  path: '/Complaint/listStatuses',
  summary: 'Statuses.',
  needs: may('Complaint', 'ListStatuses'),
  answer: v.array(Lookup, 'A list.'),
})
/** 7.22: the types that the form of 2.50 offers. */
export const listTypes = endpoint({
  method: 'GET',
  path: '/Complaint/listTypes',
  summary: 'Types of complaint.',
  needs: may('Complaint', 'ListTypes'),
  answer: v.array(Lookup, 'A list.'),
})
/** 7.23: makes a complaint. */
export const add = endpoint({
  method: 'POST',
  path: '/Complaint/add',
  summary: 'Make a complaint.',
  needs: may('Complaint', 'Add'),
  body: exact({ ...ComplaintDraft.entries, imageData: v.optional(v.nullable(SerializedImage), null) }),
  answer: Complaint,
  bodyLimit: 3_200_000,
})
/** 7.24, 7.26: returns the refreshed complaint. */
export const updateStatus = endpoint({
  method: 'PUT',
  path: '/Complaint/updateStatus/:id',
  summary: 'Move a complaint to another status, with a comment.',
  needs: may('Complaint', 'UpdateStatus'),
  params: byId,
  body: exact({ ...StatusChange.entries, seenUpdatedDate }),
  answer: Complaint,
  renews: get,
})
/** 7.25, 7.26: returns the refreshed complaint. */
export const updateSeverity = endpoint({
  method: 'PUT',
  path: '/Complaint/updateSeverity/:id',
  summary: 'Change the severity of a complaint.',
  needs: may('Complaint', 'UpdateSeverity'),
  params: byId,
  query: exact({ severityId: ChosenId, seenUpdatedDate }),
  answer: Complaint,
  renews: get,
})

/** Assignee, due day and conversation, beside what clause 3.10 fixes. */
export const getCare = endpoint({
  method: 'GET',
  path: '/Complaint/getCare',
  summary: 'Who has a complaint in hand, until when, and its conversation.',
  needs: may('Complaint', 'Get'),
  query: byId,
  answer: ComplaintCare,
})
export const listAssignees = endpoint({
  method: 'GET',
  path: '/Complaint/listAssignees',
  summary: 'The people who may have a complaint in hand.',
  needs: may('Complaint', 'UpdateStatus'),
  answer: v.array(v.object({ id: Uuid, fullName: Text }), 'A list.'),
})
export const assign = endpoint({
  method: 'PUT',
  path: '/Complaint/assign/:id',
  summary: 'Say who has a complaint in hand, and until when.',
  needs: may('Complaint', 'UpdateStatus'),
  params: byId,
  body: exact({ assigneeId: v.nullable(Uuid), dueDate: v.nullable(Day), seenUpdatedDate }),
  answer: ComplaintCare,
  renews: getCare,
})
export const addMessage = endpoint({
  method: 'POST',
  path: '/Complaint/addMessage/:id',
  summary: 'Write to the other side of a complaint.',
  needs: may('Complaint', 'Get'),
  params: byId,
  body: ComplaintAnswer,
  answer: ComplaintCare,
  renews: getCare,
})
