import {
  complaintSeverities,
  complaintStatuses,
  complaintTypes,
  northClinic,
  southClinic,
  westClinic,
} from '@dmp/contract/examples'
import type { ComplaintText } from './complaintText.ts'
import { earlierComplaintTexts } from './earlierComplaintTexts.ts'
import { recentComplaintTexts } from './recentComplaintTexts.ts'
import { demoPicture } from './demoPictures.ts'
import { demoColleagues } from '../businessUser/demoUsers.ts'
import { daysAgo, seedId } from '../../core/seedId.ts'
import type { Dependencies } from '../../dependencies.ts'

const complaintTexts = [...earlierComplaintTexts, ...recentComplaintTexts]
const organizationIds = { north: northClinic.id, south: southClinic.id, west: westClinic.id } as const
/** The provider's staff who work on the complaints. */
const agents = [
  { id: seedId('user', 1), fullName: 'Mrs Pilar Ocampo' },
  { id: seedId('user', 3), fullName: 'Ms Grace Addison' },
] as const

const getId = (choices: readonly { readonly id: string; readonly name: string }[], name: string): string => {
  const choice = choices.find((lookup) => lookup.name === name)
  if (!choice) throw new Error(`${name} is not one of the choices`)
  return choice.id
}

function createComplaint([days, place, module, type, severity, description, steps]: ComplaintText, index: number) {
  const colleagues = demoColleagues.filter(({ organizationId }) => organizationId === organizationIds[place])
  const author = colleagues[(index * 5) % colleagues.length]
  if (!author) throw new Error(`nobody works at ${place}`)
  const id = seedId('complaint', index + 1)
  const createdDate = daysAgo(days, 7 + (index % 10), (index * 11) % 60)
  const agent = agents[index % 2] ?? agents[0]
  const firstEntry = {
    complaint_id: id,
    position: 1,
    status_id: getId(complaintStatuses, 'New'),
    created_by_id: author.id,
    created_by: author.fullName,
    comment: null,
    created_date: createdDate,
  }
  const laterEntries = steps.map(([status, after, comment], step) => ({
    complaint_id: id,
    position: step + 2,
    status_id: getId(complaintStatuses, status),
    created_by_id: agent.id,
    created_by: agent.fullName,
    comment,
    // A step follows the one before it and is never in the future.
    created_date: new Date(
      Math.min(createdDate.getTime() + after * 86_400_000 + (step + 1) * 5_400_000, Date.now() - 60_000),
    ),
  }))
  const history = [firstEntry, ...laterEntries]
  const newest = history.at(-1) ?? firstEntry
  const complaint = {
    id,
    number: index + 1,
    organization_id: organizationIds[place],
    created_by_id: author.id,
    created_by: author.fullName,
    module,
    type_id: getId(complaintTypes, type),
    severity_id: getId(complaintSeverities, severity),
    status_id: newest.status_id,
    description,
    created_date: createdDate,
    updated_date: newest.created_date,
  }
  return { complaint, history }
}

/** Complaint numbers have no gaps, so the seed runs only where no complaint exists. */
export async function seedDemoComplaints({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  const complaints = complaintTexts.map(createComplaint)
  if (await db.selectFrom('complaints').select('id').limit(1).executeTakeFirst()) return
  const pictures = await Promise.all(
    complaintTexts.flatMap(([, , , , , , , picture], index) =>
      picture
        ? [
            demoPicture(picture).then((content) => ({
              complaint_id: seedId('complaint', index + 1),
              filename: 'screenshot.png',
              media_type: 'image/png',
              content,
            })),
          ]
        : [],
    ),
  )
  await db.transaction().execute(async (trx) => {
    // The lock lets one of two servers seed that start at once on one database.
    await trx.selectFrom('complaint_numbers').select('last').forUpdate().execute()
    if (await trx.selectFrom('complaints').select('id').limit(1).executeTakeFirst()) return
    await trx
      .insertInto('complaints')
      .values(complaints.map(({ complaint }) => complaint))
      .execute()
    await trx
      .insertInto('complaint_history')
      .values(complaints.flatMap(({ history }) => history))
      .execute()
    await trx.insertInto('complaint_images').values(pictures).execute()
    await trx.updateTable('complaint_numbers').set({ last: complaints.length }).execute()
  })
}
