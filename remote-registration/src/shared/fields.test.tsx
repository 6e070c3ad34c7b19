import { registration } from '@dmp/contract'
import { aRegistration } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const keep = ['status', 'registrationStatus.status']

it('lists each field of a registration under its heading, in the file and in the order [2.55, P15]', () =>
  expectList({
    ui,
    at: '/registration',
    as: 'super_admin',
    list: registration.list,
    example: aRegistration(),
    keep,
    label: 'Registrations',
    fields: [
      ['Status', 'status'],
      ['Registration Date', 'createdDate'],
      ['First Name', 'contactInfo.firstName', { sort: 'firstName' }],
      ['Last Name', 'contactInfo.lastName', { sort: 'lastName' }],
      ['Email', 'contactInfo.email', { sort: 'email' }],
      ['Organization', 'organizationName'],
    ],
  }))

it('shows each field of a registration at its label [2.56, 3.11]', async () => {
  const stored = changing({ ...aRegistration({ status: 'Rejected' }) }, { keep: ['id', ...keep] })
  renderScreen(ui, {
    at: `/registration/detail/${stored.now().id}`,
    as: 'super_admin',
    answers: [answer(registration.get, stored.now)],
  })
  await screen.findByRole('heading', { name: 'Registration Details' })
  await stored.look((item) => {
    // What people typed stands on the page, and not in the title of the tab.
    expect(screen.getByRole('heading', { level: 1, name: item.organizationName })).toBeVisible()
    expect(document.title).not.toContain(item.organizationName)
    expectFacts('Registration Details', item, [
      ['Organization', 'organizationName'],
      ['Region', 'region'],
      [
        'Name',
        '',
        { text: ({ contactInfo: { civility, firstName, lastName } }) => `${civility} ${firstName} ${lastName}` },
      ],
      ['Email', 'contactInfo.email'],
      ['Mobile', 'contactInfo.mobile'],
      ['Landline', 'contactInfo.landline'],
      ['Fax', 'contactInfo.fax'],
      ['Registration Date', 'createdDate'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status'],
      ['On', 'registrationStatus.createdDate'],
      ['By', 'registrationStatus.createdByUser'],
      ['Comment', 'registrationStatus.comment'],
    ])
  })
})
