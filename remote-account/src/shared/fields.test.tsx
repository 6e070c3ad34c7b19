import { account } from '@dmp/contract'
import { aSessionRow, aUser } from '@dmp/contract/examples'
import { answer, expectFacts, expectTable, ownValues, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />

it('shows each field of the own profile at its label [2.46, 3.04, 9.10]', async () => {
  const item = ownValues(aUser(), { keep: ['policy', 'role.role', 'status.status'] })
  renderScreen(ui, {
    at: '/account/profile',
    answers: [answer(account.profile, item), answer(account.getPreferences, { mfaEnabled: false })],
  })
  await screen.findByRole('heading', { name: 'Profile Information' })
  expectFacts(
    'Basic',
    item,
    [
      ['Login Email', 'email'],
      ['Organization', 'organization.name'],
      ['Created Date', 'createdDate'],
      ['Modified date', 'updatedDate'],
    ],
    'day',
  )
  expectFacts('Profile Information', item, [
    ['Title', 'civility'],
    ['First name', 'firstName'],
    ['Last name', 'lastName'],
    ['Mobile', 'mobile'],
    ['Landline', 'landline'],
    ['Fax', 'fax'],
  ])
})

it('shows each field of a session under its heading [P04]', async () => {
  const row = ownValues(aSessionRow({ isCurrent: false }))
  renderScreen(ui, { at: '/account/security', answers: [answer(account.listSessions, [row])] })
  await screen.findByRole('table', { name: 'Signed-in devices' })
  expectTable(
    'Signed-in devices',
    [row],
    [
      ['Device', 'device'],
      ['Address', 'address'],
      ['Signed in', 'startedDate'],
      ['Last seen', 'lastSeenDate'],
    ],
  )
})
