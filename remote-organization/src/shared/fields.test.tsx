import { organization } from '@dmp/contract'
import { anAlertRules, aLicense, anId, anOrganization, aReadiness } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, expectTable, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const keep = ['status', 'organizationStatus.status', 'licenses']

it('lists each field of an organization under its heading, in the file and in the order [2.51, P15]', () =>
  expectList({
    ui,
    at: '/organization',
    as: 'super_admin',
    list: organization.list,
    example: anOrganization(),
    keep,
    label: 'Organizations',
    fields: [
      ['Status', 'status'],
      ['Name', 'name'],
    ],
  }))

it('shows each field of an organization at its label [2.52, 3.07, 4.06]', async () => {
  const licenses = [
    aLicense({ saas: 'BMD', isAutomaticAnalysis: true }),
    aLicense({ id: anId(22), licenseId: anId(23), saas: 'OssView' }),
  ]
  const stored = changing(anOrganization({ licenses }), { keep: ['id', ...keep] })
  renderScreen(ui, {
    at: `/organization/detail/${stored.now().id}`,
    as: 'super_admin',
    answers: [
      answer(organization.get, stored.now),
      answer(organization.datastoreExists, { organizationExists: true }),
      answer(organization.getReadiness, aReadiness()),
      answer(organization.getLogo, null),
      answer(organization.getAlertRules, anAlertRules()),
      answer(organization.listLicenses, licenses),
    ],
  })
  await screen.findByRole('heading', { name: 'Organization Details' })
  await screen.findByText('Created')
  await stored.look((item) => {
    // What people typed stands on the page, and not in the title of the tab.
    expect(screen.getByRole('heading', { level: 1, name: item.name })).toBeVisible()
    expect(document.title).not.toContain(item.name)
    expectFacts('Organization Details', item, [
      ['Name', 'name'],
      ['Created Date', 'createdDate'],
      ['Datastore Status', '', { text: () => 'Created' }],
      ['Updated Date', 'updatedDate'],
      ['Region', 'region'],
    ])
    expectFacts('Status', item, [
      ['Status', 'status'],
      ['On', 'organizationStatus.createdDate'],
      ['By', 'organizationStatus.createdByUser'],
    ])
    expectTable('Assigned SaaS', licenses, [
      ['SaaS', 'saas'],
      ['Automatic Analysis', '', { text: ({ isAutomaticAnalysis }) => (isAutomaticAnalysis ? 'Enabled' : 'Disabled') }],
    ])
  })
})
