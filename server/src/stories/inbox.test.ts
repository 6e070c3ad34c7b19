import { complaint, inbox, scan } from '@dmp/contract'
import { complaintTypes, northClinic } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { tokenOf } from '../modules/scan/sharing/shareInTests.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const organizationId = northClinic.id

story('Somebody reads what happened, and chooses how to be told', import.meta.url, async (teller) => {
  const { does, later, step, people, server } = teller
  const { root, admin, staff, service, south } = people
  await does(staff, inbox.listChoices, {})
  await does(staff, inbox.choose, { kind: 'ScanArrived', choice: 'Daily' })
  await does(
    staff,
    inbox.choose,
    { kind: 'ShareOpened', choice: 'AtOnce' },
    { title: 'At once when a link is opened.' },
  )
  await does(admin, inbox.choose, { kind: 'ScanArrived', choice: 'Off' }, { title: 'Somebody wants to hear of none.' })
  await does(
    admin,
    inbox.choose,
    { kind: 'NewSignIn', choice: 'Off' },
    { title: 'Of a warning nobody may do without.' },
  )
  await step('Two studies come in, and one of South.', async () => {
    await stow(server, service, [aSlice('1.95.1.1.1')])
    await stow(server, service, [aSlice('1.95.2.1.1')])
    await stow(server, south, [aSlice('1.96.1.1.1')])
  })
  await step('A link is opened.', async () => {
    const wish = { organizationId, seriesUID: '1.95.1.1', expireInDay: 2 }
    const { data } = await staff.call(scan.share, wish)
    await server.call(scan.visitShared, { token: tokenOf(data.downloadUrl) })
  })
  await step('A complaint is answered.', async () => {
    const draft = { typeId: complaintTypes[0]?.id ?? '', moduleId: moduleIds.Scan, description: 'The list is empty.' }
    const { data } = await staff.call(complaint.add, draft)
    await root.call(complaint.addMessage, { id: data.id, text: 'Which list?' })
  })
  await does(staff, inbox.count, {})
  const { data: page } = await does(staff, inbox.list, { page: 1, pageSize: 2 })
  await does(staff, inbox.list, { page: 2, pageSize: 2 }, { title: 'The next page.' })
  await does(admin, inbox.list, {}, { title: 'What somebody else has, who turned a kind off.' })
  await does(south, inbox.list, {}, { title: 'And South.' })
  const id = page.entries[0]?.id ?? ''
  await does(staff, inbox.markRead, { id })
  await does(staff, inbox.markRead, { id }, { title: 'Again.' })
  await later(20)
  await does(staff, inbox.markAllRead, { until: '2040-03-05T09:08:59.000Z' })
  await step('One more study comes in.', () => stow(server, service, [aSlice('1.97.1.1.1')]))
  await does(staff, inbox.list, {}, { title: 'What is left to read.' })
  await later(1440)
})
