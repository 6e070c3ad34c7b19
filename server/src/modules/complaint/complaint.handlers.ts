import type { ModuleName, complaint } from '@dmp/contract'
import { mayFollow, type Lookup } from '@dmp/contract/complaint'
import { moduleIds } from '@dmp/contract/policy'
import { nextUpdatedDate, refuseIfChanged } from '../../db/optimisticLock.ts'
import type { Db } from '../../db/client.ts'
import { isExport } from '../../db/listing.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { cleanImage } from './complaint.image.ts'
import {
  addComplaint,
  addStatus,
  findLookup,
  getComplaint,
  getComplaintRow,
  listComplaints,
  listLookup,
  lockComplaint,
  setSeverity,
  toComplaint,
  type LookupName,
} from './complaint.repository.ts'
import { mailComplainant } from './complaint.mails.ts'

export const complaintHandlers = (deps: Dependencies): Handlers<typeof complaint> => ({
  ...reading(deps),
  ...changing(deps),
})

type Reading = 'list' | 'get' | 'listSeverities' | 'listStatuses' | 'listTypes'

const reading = ({ db, write }: Dependencies): Pick<Handlers<typeof complaint>, Reading> => ({
  list: async (input, context) => {
    const listing = await listComplaints(db, context.viewer, input)
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

  listSeverities: () => listLookup(db, 'complaint_severities'),
  listStatuses: () => listLookup(db, 'complaint_statuses'),
  listTypes: () => listLookup(db, 'complaint_types'),
})

const changing = ({ db, write, mail, publicUrl }: Dependencies): Omit<Handlers<typeof complaint>, Reading> => ({
  add: async ({ moduleId, typeId, description, imageData }, context) => {
    const { viewer } = context
    const module = moduleOf(viewer, moduleId)
    const type = await getLookup(db, 'complaint_types', typeId)
    const image = imageData ? await cleanImage(imageData) : null
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
      await audit({
        event: 'ComplaintAdded',
        subject: { complaintId: id, module, type: type.name, hasImage: image !== null },
      })
      return getComplaint(trx, viewer, id)
    })
  },

  updateStatus: ({ id, statusId, comment, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit }) => {
      const { viewer } = context
      const before = await lockComplaint(trx, viewer, id)
      const status = await getLookup(trx, 'complaint_statuses', statusId)
      refuseIfChanged('this complaint', before.updated_date, seenUpdatedDate, () => [
        { path: 'statusId', now: before.status, wanted: status.name },
      ])
      assertMayFollow('status', before.status, status)
      await addStatus(trx, before.id, {
        statusId: status.id,
        comment,
        viewer,
        at: nextUpdatedDate(before.updated_date),
      })
      await mailComplainant(trx, mail, {
        complaint: before,
        status: status.name,
        comment,
        viewer,
        publicUrl: publicUrl(),
      })
      await audit({
        event: 'ComplaintStatusChanged',
        organizationId: before.organization_id,
        subject: { complaintId: before.id, from: before.status, to: status.name },
      })
      return getComplaint(trx, viewer, before.id)
    }),

  updateSeverity: ({ id, severityId, seenUpdatedDate }, context) =>
    write(context, async ({ trx, audit }) => {
      const { viewer } = context
      const before = await lockComplaint(trx, viewer, id)
      const severity = await getLookup(trx, 'complaint_severities', severityId)
      refuseIfChanged('this complaint', before.updated_date, seenUpdatedDate, () => [
        { path: 'severityId', now: before.severity, wanted: severity.name },
      ])
      assertMayFollow('severity', before.severity, severity)
      await setSeverity(trx, before.id, severity.id, nextUpdatedDate(before.updated_date))
      await audit({
        event: 'ComplaintSeverityChanged',
        organizationId: before.organization_id,
        subject: { complaintId: before.id, from: before.severity, to: severity.name },
      })
      return getComplaint(trx, viewer, before.id)
    }),
})

/** 6.08: a complaint is about a module that the viewer has; others are answered like ones that do not exist. */
function moduleOf(viewer: Viewer, moduleId: string): ModuleName {
  const entry = viewer.policy.find((one) => one.moduleId === moduleId.toLowerCase())
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

/** 8.07 gives the words for the status; the others say it alike. */
function noSuchChoice(noun: string): Refusal {
  const message = `Could not find ${noun} with given id`
  return new Refusal(404, 'NOT_FOUND', message, [{ path: `${noun}Id`, message }])
}

/** Refuses a status or severity that may not follow the current one (4.01, 4.02). */
function assertMayFollow(noun: string, current: string, next: Lookup): void {
  if (mayFollow(current, next)) return
  const message = `The ${noun} of this complaint is ${next.name} already.`
  throw new Refusal(409, 'UNCHANGED', message, [{ path: `${noun}Id`, message }])
}
