import { businessUser, role } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { roleIds } from '../identity/roles.ts'
import { story } from '../testing/story/story.ts'

const person = { civility: 'Prof', firstName: 'Hedy', lastName: 'Kiesler' }
const reach = { mobile: '+49 170 5550100', landline: '+49 30 5550101', fax: '+49 30 5550102' }

story('People of an organization', import.meta.url, async ({ does, people }) => {
  const { admin, root, staff } = people
  await does(staff, role.list, {})
  await does(admin, businessUser.listAddUserRoles, {})
  await does(admin, businessUser.emailAvailable, { email: 'rita@north.example' })
  const email = 'rita@north.example'
  const draft = { ...person, ...reach, email, userName: email, organizationId: northClinic.id, roleId: roleIds.staff }
  const { data: rita } = await does(admin, businessUser.add, draft)
  const { id } = rita
  await does(admin, businessUser.add, draft, { title: 'The same person again.' })
  await does(admin, businessUser.list, { page: 1, pageSize: 5, search: 'rita' })
  await does(admin, businessUser.get, { id })
  await does(admin, businessUser.resetTemporaryPassword, { id })
  const other = { civility: 'Dr', firstName: 'Rita', lastName: 'Levi', mobile: '+1 1', landline: '+2 2', fax: '+3 3' }
  await does(admin, businessUser.update, { id, ...other })
  const old = { seenUpdatedDate: '2040-03-05T08:00:00.000Z', lastName: 'Late' }
  await does(admin, businessUser.update, { id, ...other, ...old }, { title: 'By somebody who saw it earlier.' })
  await does(staff, businessUser.updateProfile, other, { title: 'Somebody changes what is said of themselves.' })
  await does(staff, businessUser.updateProfile, { ...other, ...old }, { title: 'In a page from before.' })
  await does(admin, businessUser.deactivateUser, { id })
  await does(admin, businessUser.activateUser, { id })
  await does(admin, businessUser.deactivateUser, { id: staff.userId }, { title: 'A colleague who is signed in.' })
  await does(staff, businessUser.list, {}, { title: 'Who was deactivated is out.' })
  await does(root, businessUser.sendUpdatedTermsOfUse, { termsLink: 'https://dmp.example/terms' })
})
