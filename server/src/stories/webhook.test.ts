import { changes, scan, webhook } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { demoPassword as password } from '../modules/account/demoAccounts.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'
import { whileWaiting } from '../testing/story/whileWaiting.ts'

const organizationId = northClinic.id

story('A program of the clinic is told what becomes of scans, and asks', import.meta.url, async (teller) => {
  const { does, later, step, people, server, receiver } = teller
  const { admin, staff, south, root } = people
  const { data: beginning } = await does(staff, changes.list, {})
  const draft = { name: 'Reader', url: receiver.url, kinds: ['SeriesCreated', 'SeriesShared'], password }
  await does(admin, webhook.add, { ...draft, password: 'Wrong-password-1' }, { title: 'A wrong password.' })
  const { data: reader } = await does(admin, webhook.add, draft)
  const { id } = reader
  const archive = { ...draft, name: 'Archive', url: `${receiver.url}/b`, kinds: ['SeriesDeleted', 'SeriesQuiet'] }
  await does(admin, webhook.add, archive, { title: 'Another one, which is told of other things.' })
  await does(south, webhook.add, { ...draft, name: 'South' }, { title: 'And South has one.' })
  await does(admin, webhook.list, { page: 1, pageSize: 5, sort: 'name', direction: 'asc' })
  await does(admin, webhook.get, { id })
  await step('A study comes in.', () => stow(server, staff, [aSlice('1.95.1.1.1'), aSlice('1.95.1.2.1')]))
  await does(admin, webhook.sendTest, { id })

  receiver.answer((response) => void response.writeHead(503, { 'retry-after': '1800' }).end('Busy.'))
  const share = { organizationId, seriesUID: '1.95.1.1', expireInDay: 2 }
  await step('One is shared, and the receiver is busy.', () => admin.call(scan.share, share))
  await does(admin, webhook.get, { id }, { title: 'It fails.' })
  receiver.answer(204)
  await later(31)
  const { data: list } = await does(admin, webhook.listDeliveries, { webhookId: id, page: 1, pageSize: 3 })
  const deliveryId = list.find(({ type }) => type === 'SeriesShared')?.id ?? ''
  await does(admin, webhook.getDelivery, { id: deliveryId })
  await does(root, webhook.list, { search: 'reader' }, { title: 'The provider sees it as well.' })

  await does(admin, webhook.pause, { id })
  await does(admin, webhook.pause, { id }, { title: 'Again.' })
  await step('A study comes in meanwhile.', () => stow(server, staff, [aSlice('1.95.2.1.1')]))
  await does(admin, webhook.resume, { id })
  await does(admin, webhook.renewSecret, { id, password })
  const changed = { ...draft, name: 'Reader 2', url: `${receiver.url}/c`, kinds: ['SeriesShared'] }
  await does(admin, webhook.update, { id, ...changed })
  await does(admin, webhook.replay, { id: deliveryId })
  await does(admin, webhook.replaySince, { id, since: '2040-03-05T09:00:00.000Z' })

  await does(staff, changes.list, { since: beginning.next, pageSize: 2 }, { title: 'The first of what happened.' })
  await does(staff, changes.list, { since: beginning.next, kinds: 'SeriesShared' }, { title: 'What was shared.' })
  const { data: now } = await does(south, changes.list, {}, { title: 'South has none.' })
  const wait = () => south.call(changes.list, { since: now.next, wait: 20 })
  await step('It waits, and gets what comes.', () =>
    whileWaiting(server, wait, () => stow(server, south, [aSlice('1.96.1.1.1')])),
  )
  await does(admin, webhook.remove, { id })
  await does(admin, webhook.get, { id }, { title: 'It is gone.' })
  await later(60)
})
