import { audit, organization, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import type { AlertRules } from '@dmp/contract/organization'
import { tag } from '@dmp/dicom'
import { text } from '../dicom/testing/dicomFile.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const organizationId = northClinic.id
/** The names of those who look. */
const relatives = ['Weber^Wanda', 'Lind^Lasse'].map((name, at) => ({
  [tag.PatientName]: text('PN', name),
  [tag.PatientID]: text('LO', `R-${at}`),
}))
const rules: AlertRules = {
  manyPatients: false,
  patients: 41,
  minutes: 25,
  outOfHours: false,
  outOfHoursPatients: 7,
  days: ['Monday'],
  from: '06:30',
  until: '21:15',
  timeZone: 'Asia/Kolkata',
  ownName: true,
}

story('Who looked at whom is recorded, looked through, and proven', import.meta.url, async (teller) => {
  const { does, later, step, people, server } = teller
  const { root, admin, staff, south } = people
  await step('Two patients have the names of people of North.', async () => {
    await admin.call(organization.setAlertRules, { id: organizationId, ...rules })
    await stow(server, admin, [aSlice('1.95.1.1.1', relatives[0]), aSlice('1.95.2.1.1', relatives[1])])
    await stow(server, south, [aSlice('1.96.1.1.1')])
  })
  await step('They look at them.', async () => {
    await staff.call(scan.get, { organizationId, seriesUID: '1.95.1.1' })
    await admin.call(scan.get, { organizationId, seriesUID: '1.95.2.1' })
  })
  await later(30)
  const { data: alerts } = await does(admin, audit.listAlerts, { page: 1, pageSize: 5, state: 'open' })
  const { id = '' } = alerts.find(({ person }) => person.includes('Weber')) ?? {}
  await does(admin, audit.getAlert, { id })
  await does(admin, audit.acknowledgeAlert, { id, note: 'A cousin, who had asked for it.' })
  await does(admin, audit.acknowledgeAlert, { id, note: 'Again.' }, { title: 'Again.' })
  await does(admin, audit.listAlerts, {}, { title: 'All but those about oneself.' })
  await does(root, audit.listAlerts, { sort: 'person', direction: 'asc' }, { title: 'The provider sees both.' })
  await does(admin, audit.listEvents, {})
  const { data: events } = await does(admin, audit.list, { page: 1, pageSize: 3, search: 'weber' })
  await does(south, audit.list, { page: 1, pageSize: 3 }, { title: 'South sees its own.' })
  await does(root, audit.list, { page: 1, pageSize: 2, event: 'ScansUploaded' }, { title: 'The provider sees all.' })
  await does(admin, audit.get, { id: events[0]?.id ?? '' })
  await does(admin, audit.listActivity, { organizationId, studyUID: '1.95.1', isPatient: 'true', opened: 'only' })
  await does(admin, audit.exportRows, { event: 'ScanViewed' })
  await does(admin, audit.getLastCheck, {})
  await does(admin, audit.check, {})
  await does(root, audit.check, {}, { title: 'All chains.' })
  await does(admin, audit.getLastCheck, {}, { title: 'What was found.' })
  await later(60)
})
