import {
  complaintSeverities,
  complaintStatuses,
  complaintTypes,
  northClinic,
  southClinic,
  westClinic,
} from '@dmp/contract/examples'
import { complaintTexts, type ComplaintText } from './demoComplaintTexts.ts'
import { demoPicture } from './demoPictures.ts'
import { demoColleagues } from '../businessUser/demoUsers.ts'
import { daysAgo, seedId } from '../../core/seedId.ts'
import type { SeedPart } from '../seed.ts'

const homes = { north: northClinic.id, south: southClinic.id, west: westClinic.id } as const
const ours = [
  { id: seedId('user', 1), fullName: 'Mrs Pilar Ocampo' },
  { id: seedId('user', 3), fullName: 'Ms Grace Addison' },
] as const

const idOf = (list: readonly { readonly id: string; readonly name: string }[], name: string): string => {
  const found = list.find((one) => one.name === name)
  if (!found) throw new Error(`${name} is not a choice`)
  return found.id
}

function made([days, place, module, type, severity, description, steps]: ComplaintText, index: number) {
  const colleagues = demoColleagues.filter((one) => one.organizationId === homes[place])
  const author = colleagues[(index * 5) % colleagues.length]
  if (!author) throw new Error(`nobody works at ${place}`)
  const id = seedId('complaint', index + 1)
  const created = daysAgo(days, 7 + (index % 10), (index * 11) % 60)
  const by = ours[index % 2] ?? ours[0]
  const first = {
    complaint_id: id,
    position: 1,
    status_id: idOf(complaintStatuses, 'New'),
    created_by_id: author.id,
    created_by: author.fullName,
    comment: null,
    created_date: created,
  }
  const later = steps.map(([status, after, comment], step) => ({
    complaint_id: id,
    position: step + 2,
    status_id: idOf(complaintStatuses, status),
    created_by_id: by.id,
    created_by: by.fullName,
    comment,
    // Never before the step that it answers, and never in the future.
    created_date: new Date(
      Math.min(created.getTime() + after * 86_400_000 + (step + 1) * 5_400_000, Date.now() - 60_000),
    ),
  }))
  const history = [first, ...later]
  const newest = history.at(-1) ?? first
  const complaint = {
    id,
    number: index + 1,
    organization_id: homes[place],
    created_by_id: author.id,
    created_by: author.fullName,
    module,
    type_id: idOf(complaintTypes, type),
    severity_id: idOf(complaintSeverities, severity),
    status_id: newest.status_id,
    description,
    created_date: created,
    updated_date: newest.created_date,
  }
  return { complaint, history }
}

/** Numbers follow one another, so these are made only where there is no complaint yet. */
export const seedDemoComplaints: SeedPart = async ({ db }) => {
  const all = complaintTexts.map(made)
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
    // Two servers that start at once on one database make them once.
    await trx.selectFrom('complaint_numbers').select('last').forUpdate().execute()
    if (await trx.selectFrom('complaints').select('id').limit(1).executeTakeFirst()) return
    await trx
      .insertInto('complaints')
      .values(all.map(({ complaint }) => complaint))
      .execute()
    await trx
      .insertInto('complaint_history')
      .values(all.flatMap(({ history }) => history))
      .execute()
    await trx.insertInto('complaint_images').values(pictures).execute()
    await trx.updateTable('complaint_numbers').set({ last: all.length }).execute()
  })
}
