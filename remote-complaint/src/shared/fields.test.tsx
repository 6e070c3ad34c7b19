import { complaint } from '@dmp/contract'
import { aComplaint, aComplaintCare, aComplaintRow } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, expectTable, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />

it('lists each field of a complaint under its heading, in the file and in the order [2.48, P15]', () =>
  expectList({
    ui,
    at: '/complaint',
    as: 'admin',
    list: complaint.list,
    example: aComplaintRow(),
    label: 'Complaints',
    fields: [
      ['Complaint #', 'complaintNumber'],
      ['Status', 'currentStatus', { sort: 'status' }],
      ['Module', 'moduleAlias', { sort: 'module' }],
      ['Severity', 'severity'],
      ['Type', 'type'],
      ['Description', 'description'],
      ['Created Date', 'createdDate'],
    ],
  }))

it('shows each field of a complaint at its label [2.49]', async () => {
  const stored = changing(aComplaint(), { keep: ['id', 'imageData'] })
  renderScreen(ui, {
    at: `/complaint/detail/${stored.now().id}`,
    as: 'staff',
    answers: [answer(complaint.get, stored.now), answer(complaint.getCare, aComplaintCare())],
  })
  await screen.findByRole('heading', { name: 'Basic Details' })
  await stored.look((item) => {
    expect(screen.getByRole('heading', { level: 1, name: `Complaint ${item.complaintNumber}` })).toBeVisible()
    expectFacts('Basic Details', item, [
      ['Complaint Number', 'complaintNumber'],
      ['Module', 'moduleAlias'],
      ['Type', 'type'],
      ['Created By', 'createdByUser'],
      ['Organization', 'organization'],
      ['Created Date', 'createdDate'],
      ['Description', 'description'],
    ])
    expectTable('Status History', item.statusList, [
      ['Status', 'status'],
      ['Created By', 'createdByUser'],
      ['Created Date', 'createdDate'],
      ['Comment', 'comment'],
    ])
  })
})
