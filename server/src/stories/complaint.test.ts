import { complaint, inbox } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { asImage, aPicture } from '../testing/pictures.ts'
import { story } from '../testing/story/story.ts'

story(
  'A complaint, from whom it bothers to the day on which it is closed',
  import.meta.url,
  async ({ does, later, people }) => {
    const { root, system, admin, staff } = people
    await does(staff, complaint.listTypes, {})
    const imageData = JSON.stringify(asImage(await aPicture().png().toBuffer(), 'image/png'))
    const typeId = complaintTypes[0]?.id ?? ''
    const draft = { typeId, moduleId: moduleIds.Scan, description: 'The list is empty.', imageData }
    const { data: made } = await does(staff, complaint.add, draft, { isOpen: true })
    const { id } = made
    await does(admin, complaint.list, { search: 'empty', page: 1, pageSize: 10 })
    await does(root, complaint.countOpen, {})
    await does(root, complaint.get, { id })
    const { data: statuses } = await does(root, complaint.listStatuses, {})
    const { data: severities } = await does(root, complaint.listSeverities, {})
    const { data: assignees } = await does(root, complaint.listAssignees, {})
    await does(root, complaint.assign, { id, assigneeId: assignees[0]?.id, dueDate: '2040-03-09' })
    await does(root, complaint.updateSeverity, { id, severityId: severities[1]?.id })
    await does(system, complaint.addMessage, { id, text: 'Which list do you mean?' })
    await does(staff, complaint.addMessage, { id, text: 'That of the scans.' })
    await does(staff, complaint.getCare, { id })
    const old = { id, seenUpdatedDate: '2040-03-05T08:00:00.000Z' }
    const title = 'By somebody who saw it earlier.'
    await does(root, complaint.assign, { ...old, assigneeId: null, dueDate: '2040-03-10' }, { title })
    await does(root, complaint.updateSeverity, { ...old, severityId: severities[0]?.id }, { title })
    await does(root, complaint.updateStatus, { ...old, statusId: statuses[1]?.id, comment: 'Late.' }, { title })
    await later(60)
    await does(root, complaint.updateStatus, { id, statusId: statuses[1]?.id, comment: 'We look.' })
    await does(
      root,
      complaint.updateStatus,
      { id, statusId: statuses[1]?.id, comment: 'We look.' },
      { title: 'Again.' },
    )
    await does(staff, inbox.list, {})
    // It is due on the ninth: overdue in the first hour of the tenth, and in no hour before, wherever the machine is.
    const overdue = { state: 'overdue', page: 1, pageSize: 10 }
    await later(4 * 1440 + 13 * 60)
    await does(root, complaint.list, overdue, { title: 'What is overdue on the last evening.' })
    await later(60)
    await does(root, complaint.list, overdue, { title: 'And just after midnight.' })
    await later(1440)
    await does(root, complaint.updateStatus, { id, statusId: statuses.at(-1)?.id, comment: 'It is mended.' })
    await does(staff, complaint.get, { id })
  },
)
