import { audit } from '@dmp/contract'
import { anAuditDetail, anAuditRow } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const outcome = { text: () => 'Success' }
const neverChecked = answer(audit.getLastCheck, { check: null })
const keep = ['outcome', 'event', 'subject.0.key']

it('lists each field of an event under its heading, in the file and in the order [P15, P24]', () =>
  expectList({
    ui,
    at: '/audit',
    as: 'super_admin',
    list: audit.list,
    exports: audit.exportRows,
    answers: [answer(audit.listEvents, ['ScanViewed']), neverChecked],
    example: anAuditRow(),
    keep,
    label: 'Audit',
    fields: [
      ['Time', 'at', { dates: 'exact' }],
      ['Event', '', { text: () => 'Scan viewed', sort: 'event' }],
      ['Outcome', '', { ...outcome, sort: 'outcome' }],
      ['Person', 'actor'],
      ['Email', 'actorEmail', { sort: false }],
      ['Organization', 'organization'],
      ['Details', '', { text: ({ subject }) => `Series: ${subject[0]?.value}`, sort: false }],
      ['Address', 'address'],
    ],
  }))

it('shows each field of an event at its label [P24]', async () => {
  const stored = changing(anAuditDetail(), { keep: ['id', ...keep] })
  const answers = [answer(audit.get, stored.now), neverChecked]
  renderScreen(ui, { at: `/audit/detail/${stored.now().id}`, as: 'super_admin', answers })
  await screen.findByRole('heading', { name: 'Event' })
  await stored.look((item) => {
    expectFacts('Event', item, [
      ['Event', '', { text: () => 'Scan viewed' }],
      ['Outcome', '', outcome],
      ['Time', 'at', { dates: 'exact' }],
      ['Person', 'actor'],
      ['Email', 'actorEmail'],
      ['Organization', 'organization'],
      ['Address', 'address'],
      ['Request', 'requestId'],
    ])
    expectFacts('Details', item, [['Series', 'subject.0.value']])
    expectFacts('Record', item, [
      ['Sequence', 'position'],
      ['Hash', 'hash'],
      ['Previous hash', 'previousHash'],
    ])
  })
})
