import * as v from 'valibot'
import { endpoint, may, type ModuleName } from './endpoint.ts'
import { Comment, Instant, ChosenId, Uuid, atMost, maybe, required, seenUpdatedDate, exact } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'

const Text = v.string('Text.')

/** 4.01, in the order of a complaint's life. */
export const statusNames = ['New', 'OnHold', 'Pending', 'InProgress', 'Resolved'] as const
export type StatusName = (typeof statusNames)[number]
/** 4.02, mildest first. */
export const severityNames = ['Low', 'Medium', 'High', 'Critical'] as const
export type SeverityName = (typeof severityNames)[number]

/** The modules' names on screens (2.32: BusinessUser is shown as User). */
export const moduleAliases: Readonly<Record<ModuleName, string>> = {
  Complaint: 'Complaint',
  Organization: 'Organization',
  Registration: 'Registration',
  Scan: 'Scan',
  BusinessUser: 'User',
  Audit: 'Audit',
  Release: 'Platform',
  ApiToken: 'API tokens',
  Webhook: 'Webhooks',
}

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
  filename: v.pipe(required(), v.maxLength(255, atMost(255))),
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
    required('Please provide details on your complaint.'),
    v.maxLength(limits.complaintDescriptionMaxChars, atMost(limits.complaintDescriptionMaxChars)),
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

const byId = exact({ id: Uuid })
const sortable = ['complaintNumber', 'status', 'module', 'severity', 'type', 'description', 'createdDate'] as const

/** 7.22, 2.48: the complaint list. */
export const list = endpoint({
  method: 'GET',
  path: '/Complaint/list',
  summary: 'Complaints that the viewer may see; with state=open those that are not resolved.',
  needs: may('Complaint', 'List'),
  query: exact({ ...pageQuery(sortable), state: v.optional(v.picklist(['open'], 'The state can be open.')) }),
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
