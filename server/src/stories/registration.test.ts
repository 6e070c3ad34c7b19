import { registration } from '@dmp/contract'
import { registrationStatusIds } from '@dmp/contract/registration'
import { story } from '../testing/story/story.ts'

const person = { civility: 'Prof', firstName: 'Hedy', lastName: 'Kiesler' }
const reach = { mobile: '+49 170 5550100', landline: '+49 30 5550101', fax: '+49 30 5550102' }

story('Somebody asks for an account, and gets it or not', import.meta.url, async ({ does, later, people }) => {
  const { root, system } = people
  const form = { ...person, ...reach, organizationName: 'West-Hospital', email: 'hedy@west.example' }
  await does(undefined, registration.emailAvailable, { email: form.email })
  await does(undefined, registration.add, form)
  await does(undefined, registration.add, form, { title: 'The same form again.' })
  await does(undefined, registration.add, { ...form, organizationName: 'Third', email: 'other@third.example' })
  await does(system, registration.countPending, {})
  const { data: list } = await does(system, registration.list, { page: 1, pageSize: 10, search: 'example' })
  const idOf = (email: string): string =>
    list.find((row: { contactInfo: { email: string } }) => row.contactInfo.email === email)?.id ?? ''
  await does(system, registration.get, { id: idOf(form.email) })
  const old = { seenUpdatedDate: '2040-03-05T08:00:00.000Z' }
  const title = 'By somebody who saw it earlier.'
  await does(root, registration.approve, { id: idOf(form.email), ...old }, { title })
  await does(root, registration.approve, { id: idOf(form.email) })
  await does(root, registration.approve, { id: idOf(form.email) }, { title: 'Approve it again.' })
  const no = { id: idOf('other@third.example'), statusId: registrationStatusIds.Rejected, comment: 'Not now.' }
  await does(root, registration.reject, { ...no, ...old }, { title })
  await does(root, registration.reject, no)
  await does(undefined, registration.emailAvailable, { email: form.email })
  await later(3 * 1440)
})
