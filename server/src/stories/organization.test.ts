import { organization, override, region } from '@dmp/contract'
import { northClinic, provider, southClinic } from '@dmp/contract/examples'
import type { AlertRules } from '@dmp/contract/organization'
import { aLogo, aPicture, asImage } from '../testing/pictures.ts'
import { createTestReleases } from '../testing/releases.ts'
import { story } from '../testing/story/story.ts'

const { id: north } = northClinic
const rules: AlertRules = {
  manyPatients: true,
  patients: 41,
  minutes: 25,
  outOfHours: true,
  outOfHoursPatients: 7,
  days: ['Tuesday', 'Saturday'],
  from: '06:30',
  until: '21:15',
  timeZone: 'Asia/Kolkata',
  ownName: false,
}
const person = { civility: 'Mrs', firstName: 'Eva', lastName: 'Osten', email: 'eva@east.example' }

story('A customer comes, is looked after, closed and opened again', import.meta.url, async (teller) => {
  const { does, later, step, people, enter, server } = teller
  const { root, system, admin, staff, south } = people
  await does(staff, region.list, {})
  await does(root, organization.getSetup, {})
  await does(root, organization.testStorage, {})
  await does(root, organization.testMail, {})
  const draft = { name: 'East-Hospital', withDatastore: false, ...person, saas: ['PeekMed', 'BMD'] }
  const { data: east } = await does(root, organization.add, draft)
  const { id } = east
  await does(root, organization.add, { ...draft, email: 'else@east.example' }, { title: 'The same name again.' })
  await does(system, organization.getReadiness, { id })
  await does(root, organization.datastoreExists, { id })
  await does(root, organization.createDatastore, { id })
  await does(root, organization.createDatastore, { id }, { title: 'Create it again.' })
  await does(root, organization.getSetup, {}, { title: 'What is set up by now.' })
  await does(root, organization.dismissSetup, { id: provider.id, isDismissed: true })
  await does(root, organization.list, { page: 1, pageSize: 3, sort: 'name', direction: 'desc' })
  await does(system, organization.listActivated, {})
  const { data: licenses } = await does(root, organization.listLicenses, { id })
  const [first, second, third] = licenses.map(({ licenseId }) => licenseId)
  const assigned = [
    { licenseId: first, isActive: false, isAutomaticAnalysis: false },
    { licenseId: second, isActive: true, isAutomaticAnalysis: true },
    { licenseId: third, isActive: true, isAutomaticAnalysis: false },
  ]
  await does(root, organization.assignLicenses, { id, licenses: assigned })
  const old = { id, seenUpdatedDate: '2040-03-05T08:00:00.000Z' }
  const title = 'By somebody who saw it earlier.'
  await does(root, organization.assignLicenses, { ...old, licenses: [] }, { title })
  await does(root, organization.update, { id, updatedOrganizationName: 'East-House' })
  await does(root, organization.update, { ...old, updatedOrganizationName: 'Late' }, { title })
  await does(admin, organization.get, { id: north })

  await does(admin, organization.setLogo, { id: north, imageData: await aLogo() })
  const other = asImage(await aPicture(90, 30).png().toBuffer(), 'image/png', 'other.png')
  await does(south, organization.setLogo, { id: southClinic.id, imageData: other }, { title: 'South gives one, too.' })
  await does(admin, organization.getLogo, { id: north })
  await does(admin, organization.removeLogo, { id: north })
  await does(admin, organization.setAlertRules, { id: north, ...rules })
  await does(admin, organization.getAlertRules, { id: north })
  await does(south, organization.getAlertRules, { id: southClinic.id }, { title: 'Those of South are as they were.' })

  await does(root, organization.deactivate, { id: southClinic.id })
  await does(south, organization.get, { id: southClinic.id }, { title: 'Its people are out.' })
  await does(root, organization.activate, { id: southClinic.id })
  await enter('south', south.email)
  await does(south, organization.get, { id: southClinic.id }, { title: 'And may come back.' })

  const releases = await step('Three releases are published.', async () => {
    const { put } = await createTestReleases(server)
    return [await put('remote-scan', 'live'), await put('remote-user', 'newer')] as const
  })
  const source = releases[0].releaseId
  const { headers } = await does(staff, override.add, { part: 'remote-scan', source })
  const browser = (set = headers) => ({ headers: { cookie: String(set['set-cookie']).split(';')[0] ?? '' } })
  const local = { part: 'remote-user', source: 'http://localhost:8123' }
  const both = await does(staff, override.add, local, { ...browser(), title: 'A development server beside it.' })
  await does(root, override.add, local, { ...browser(), title: 'Somebody else in this browser begins anew.' })
  await does(undefined, override.remove, { part: 'Nothing' }, { title: 'Of what is no part.' })
  await does(undefined, override.remove, { part: 'remote-scan' }, browser(both.headers))
  await does(undefined, override.remove, {}, { ...browser(both.headers), title: 'All of them.' })
  await later(60)
})
