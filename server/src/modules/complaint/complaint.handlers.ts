import { complaint, type ModuleName } from '@dmp/contract'
import { mayFollow, type Complaint, type Lookup } from '@dmp/contract/complaint'
import { moduleIds } from '@dmp/contract/policy'
import { refuseIfChanged } from '../../db/changeConflict.ts'
import type { Db } from '../../db/client.ts'
import { isExport } from '../../db/listing.ts'
import type { Write } from '../../db/write.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import { formatBytes } from '../../core/formatBytes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertWithinQuota, quotaBytes, QuotaExceeded } from '../scan/intake/quota.ts'
import { careHandlers } from './complaintCare.ts'
import { createImageCleaning } from './complaint.image.ts'
import {
  addComplaint,
  addStatus,
  findLookup,
  getComplaint,
  getComplaintRow,
  listComplaints,
  listLookup,
  lockComplaint,
  toComplaint,
  type LookupName,
} from './complaint.repository.ts'
import { setSeverity } from './complaint.severity.ts'
import { countOpenComplaints } from './openComplaints.ts'
import { mailComplainant } from './complaint.mails.ts'

type All = Handlers<typeof complaint>
/** What changes nothing. */
type Read = 'list' | 'countOpen' | 'get' | 'listSeverities' | 'listStatuses' | 'listTypes'

export const complaintHandlers = (deps: Dependencies): All => ({
  ...readHandlers(deps),
  add: createAdd(deps),
  ...careHandlers(deps),
  updateStatus: (change, context) => deps.write(context, (write) => changeStatus(deps, write, context.viewer, change)),
  updateSeverity: (change, context) => deps.write(context, (write) => changeSeverity(write, context.viewer, change)),
})

const readHandlers = ({ db, replicas, write }: Dependencies): Pick<All, Read> => ({
  list: async (input, context) => {
    const listing = await replicas.read(complaint.list, context.viewer, (copy) =>
      listComplaints(copy, context.viewer, input),
    )
    if (isExport(input))
      await write(context, ({ audit }) =>
        audit({ event: 'ComplaintsExported', subject: { rows: listing.rows.length } }),
      )
    return listing
  },

  get: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await getComplaintRow(trx, context.viewer, id)
      const subject = { complaintId: row.id }
      await audit({ event: 'ComplaintViewed', organizationId: row.organization_id, subject })
      return toComplaint(trx, row)
    }),

  countOpen: (_, { viewer }) => countOpenComplaints(db, viewer),
  listSeverities: () => listLookup(db, 'complaint_severities'),
  listStatuses: () => listLookup(db, 'complaint_statuses'),
  listTypes: () => listLookup(db, 'complaint_types'),
})

function createAdd({ db, write, penalties, settings }: Dependencies): All['add'] {
  const cleanImage = createImageCleaning(penalties)
  return async ({ moduleId, typeId, description, imageData }, context) => {
    const { viewer } = context
    const module = getModule(viewer, moduleId)
    const type = await getLookup(db, 'complaint_types', typeId)
    const image = imageData ? await cleanImage(imageData, context) : null
    return write(context, async ({ trx, audit }) => {
      const id = await addComplaint(trx, {
        organizationId: viewer.organizationId,
        createdById: viewer.userId,
        createdBy: viewer.fullName,
        module,
        typeId: type.id,
        description,
        image,
        at: new Date(),
      })
      if (image)
        await assertWithinQuota(trx, settings, viewer.organizationId).catch((cause: unknown) => {
          throw cause instanceof QuotaExceeded ? noRoom(quotaBytes(settings)) : cause
        })
      await audit({
        event: 'ComplaintAdded',
        subject: { complaintId: id, module, type: type.name, hasImage: image !== null },
      })
      return getComplaint(trx, viewer, id)
    })
  }
}

async function changeStatus(
  { mail, publicUrl }: Dependencies,
  { trx, audit, afterwards }: Write,
  viewer: Viewer,
  { id, statusId, comment, seenUpdatedDate }: Parameters<All['updateStatus']>[0],
): Promise<Complaint> {
  const previousComplaint = await lockComplaint(trx, viewer, id)
  const status = await getLookup(trx, 'complaint_statuses', statusId)
  refuseIfChanged('this complaint', previousComplaint.updated_date, seenUpdatedDate, () => [
    { path: 'statusId', now: previousComplaint.status, wanted: status.name },
  ])
  assertMayFollow('status', previousComplaint.status, status)
  const changedComplaint = await addStatus(trx, previousComplaint, { status, comment, viewer })
  await mailComplainant(trx, mail, { complaint: changedComplaint, comment, viewer, publicUrl: publicUrl() })
  afterwards(mail.deliver)
  await audit({
    event: 'ComplaintStatusChanged',
    organizationId: previousComplaint.organization_id,
    subject: { complaintId: previousComplaint.id, from: previousComplaint.status, to: status.name },
  })
  // Read again: whether it is overdue depends on its status.
  return getComplaint(trx, viewer, id)
}

async function changeSeverity(
  { trx, audit }: Write,
  viewer: Viewer,
  { id, severityId, seenUpdatedDate }: Parameters<All['updateSeverity']>[0],
): Promise<Complaint> {
  const previousComplaint = await lockComplaint(trx, viewer, id)
  const severity = await getLookup(trx, 'complaint_severities', severityId)
  refuseIfChanged('this complaint', previousComplaint.updated_date, seenUpdatedDate, () => [
    { path: 'severityId', now: previousComplaint.severity, wanted: severity.name },
  ])
  assertMayFollow('severity', previousComplaint.severity, severity)
  const changedComplaint = await setSeverity(trx, previousComplaint, severity)
  await audit({
    event: 'ComplaintSeverityChanged',
    organizationId: previousComplaint.organization_id,
    subject: { complaintId: previousComplaint.id, from: previousComplaint.severity, to: severity.name },
  })
  return toComplaint(trx, changedComplaint)
}

/** The complaint itself is always taken. */
function noRoom(maxBytes: number): Refusal {
  const bytes = formatBytes(maxBytes)
  const message = `The storage of your organization is full (${bytes}), so this picture was not saved. Submit the complaint without it.`
  return new Refusal(413, 'QUOTA', message, [{ path: 'imageData', message }])
}

/** 6.08: a complaint names a module that the viewer may use; any other gets the answer of an unknown id. */
function getModule(viewer: Viewer, moduleId: string): ModuleName {
  const entry = viewer.policy.find((policyEntry) => policyEntry.moduleId === moduleId.toLowerCase())
  const module = (Object.keys(moduleIds) as ModuleName[]).find((name) => name === entry?.module)
  if (!module) throw noSuchChoice('module')
  return module
}

const nouns: Readonly<Record<LookupName, string>> = {
  complaint_statuses: 'status',
  complaint_severities: 'severity',
  complaint_types: 'type',
}

async function getLookup(db: Db, name: LookupName, id: string): Promise<Lookup> {
  const choice = await findLookup(db, name, id)
  if (!choice) throw noSuchChoice(nouns[name])
  return choice
}

/** 8.07 fixes the sentence for the status; the other choices use the same one. */
function noSuchChoice(noun: string): Refusal {
  const message = `Could not find ${noun} with given id`
  return new Refusal(404, 'NOT_FOUND', message, [{ path: `${noun}Id`, message }])
}

/** 4.01, 4.02: refuses a status or severity that may not follow the current one. */
function assertMayFollow(noun: string, current: string, next: Lookup): void {
  if (mayFollow(current, next)) return
  const message = `The ${noun} of this complaint is already ${next.name}.`
  throw new Refusal(409, 'UNCHANGED', message, [{ path: `${noun}Id`, message }])
}
