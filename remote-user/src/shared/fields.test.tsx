import { audit, businessUser } from '@dmp/contract'
import { aUser } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const keep = ['status.status', 'role.role', 'policy']

it('lists each field of a user under its heading, in the file and in the order [2.60, P15]', () =>
  expectList({
    ui,
    at: '/user',
    as: 'super_admin',
    list: businessUser.list,
    example: aUser(),
    keep,
    label: 'Users',
    fields: [
      ['Status', 'status.status', { sort: 'status' }],
      ['Organization', 'organization.name', { sort: 'organization' }],
      ['First Name', 'firstName'],
      ['Last Name', 'lastName'],
      ['User Type', 'role.roleDisplayName', { sort: 'userType' }],
      ['Email', 'email'],
    ],
  }))

it('shows each field of a user at its label [2.62, 3.04]', async () => {
  const stored = changing(aUser(), { keep: ['id', ...keep] })
  renderScreen(ui, {
    at: `/user/detail/${stored.now().id}`,
    as: 'super_admin',
    answers: [answer(businessUser.get, stored.now), answer(audit.listActivity, { rows: [], total: 0 })],
  })
  await screen.findByRole('heading', { name: 'Details' })
  await stored.look((item) => {
    // What people typed stands on the page, and not in the title of the tab.
    expect(screen.getByRole('heading', { level: 1, name: item.fullName })).toBeVisible()
    expect(document.title).not.toContain(item.fullName)
    expectFacts('Details', item, [
      ['User Type', '', { text: ({ role }) => `${role.roleDisplayName} User` }],
      ['Name', '', { text: ({ civility, firstName, lastName }) => `${civility} ${firstName} ${lastName}` }],
      ['Organization', 'organization.name'],
      ['Joined Date', 'createdDate', { dates: 'day' }],
      ['Email', 'email'],
      ['Landline', 'landline'],
      ['Mobile', 'mobile'],
      ['Fax', 'fax'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status.status'],
      ['on', 'status.createdDate'],
      ['by', 'status.createdByUser'],
    ])
  })
})
