import { account, businessUser } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { providerOrganizationId } from '@dmp/contract/organization'
import { roleIds } from '../identity/roles.ts'
import { createSetupToken } from '../identity/setupLink.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { chosenPassword } from '../modules/businessUser/businessUserInTests.ts'
import { story } from '../testing/story/story.ts'

const clientId = 'dmp-web'
const email = 'rita@north.example'
const reach = { mobile: '+49 170 5550100', landline: '+49 30 5550101', fax: '+49 30 5550102' }
const rita = { civility: 'Dr', firstName: 'Rita', lastName: 'Levi', ...reach, email, userName: email }

story('Somebody comes in for the first time, also the first one of all', import.meta.url, async (teller) => {
  const { does, later, step, people, server } = teller
  const { admin } = people
  await does(admin, businessUser.add, { ...rita, organizationId: northClinic.id, roleId: roleIds.staff })
  const { code } = await server.mailTo(email)
  const login = { ClientId: clientId, email, password: code }
  const { data: half } = await does(undefined, account.login, login)
  const toAnswer = (session: string, newPassword: string) => ({
    challengeResponse: { userName: email, newPassword },
    clientId,
    session,
  })
  const session = half.session ?? ''
  const title = 'Of a sign-in that there is not.'
  await does(undefined, account.setNewPassword, toAnswer('Nothing', chosenPassword), { title })
  await does(undefined, account.setNewPassword, toAnswer(session, code ?? ''), { title: 'The temporary one again.' })
  await does(undefined, account.setNewPassword, toAnswer(session, chosenPassword))
  await does(undefined, account.login, login, { title: 'The temporary password is over.' })
  await does(undefined, account.login, { ...login, password: chosenPassword }, { title: 'With the chosen one.' })

  const setupToken = createSetupToken(server.deps.keys)
  await does(undefined, account.checkSetupLink, { setupToken }, { title: 'There are administrators.' })
  await step('There are none any more.', () =>
    server.deps.db
      .updateTable('users')
      .set({ role: 'staff' })
      .where('organization_id', '=', providerOrganizationId)
      .execute(),
  )
  await does(undefined, account.checkSetupLink, { setupToken: 'Nothing' }, { title: 'Another link.' })
  await does(undefined, account.checkSetupLink, { setupToken })
  const first = {
    civility: 'Ms',
    firstName: 'Ada',
    lastName: 'Berg',
    email: 'ada@dmp.example',
    newPassword: demoPassword,
  }
  await does(undefined, account.addFirstAdministrator, { ...first, setupToken })
  await does(undefined, account.addFirstAdministrator, { ...first, setupToken }, { title: 'The same link again.' })
  await does(
    undefined,
    account.login,
    { ...login, email: first.email, password: demoPassword },
    { title: 'She is in.' },
  )
  await later(60)
})
