import { scan } from '@dmp/contract'
import { toPolicy } from '@dmp/contract/policy'
import { aBinEntry, aScanRow, aTransfer, northClinic } from '@dmp/contract/examples'
import type { LegalHold } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const holds = answer(scan.listHolds, { rows: [], total: 0 })
const listed = (...rows: ReturnType<typeof aBinEntry>[]) => answer(scan.listBin, { rows, total: rows.length })
const name = 'Sample, Ruth · P-1001 · MR · Knee · Axial T1'
const held = { id: northClinic.id, reason: 'Court', heldByUser: 'Ms Ada Berg', heldDate: '2026-05-06T09:00:00.000Z' }

describe('the bin [P54]', () => {
  it('restores a scan, and says why where it cannot', async () => {
    const refusal = new CallError(409, 'PLACE_TAKEN', 'Other images came.')
    const other = aBinEntry({ id: northClinic.id, patientName: 'Other, Otto' })
    let rows = [aBinEntry(), other]
    const answers = [
      answer(scan.listBin, () => ({ rows, total: rows.length })),
      holds,
      answer(scan.restore, ({ ids }) => {
        if (ids.includes(aBinEntry().id)) return refusal
        rows = [aBinEntry()]
        return null
      }),
    ]
    const { user, calls } = renderScreen(ui, { at: '/scan/bin', as: 'admin', answers })
    await user.click(await screen.findByRole('button', { name: `Restore ${name}` }))
    expect(await screen.findByText('Other images came.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^Restore Other, Otto/ }))
    expect(await screen.findByText('Scan restored')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Other, Otto')).toBeNull())
    expect(calls(scan.restore)).toEqual(
      [aBinEntry().id, other.id].map((id) => ({ organizationId: northClinic.id, ids: [id] })),
    )
  })

  it('deletes for good only with the phrase, and never what is held', async () => {
    const other = aBinEntry({ id: northClinic.id, patientName: 'Held, Hanna', purgeDate: null, hold: held })
    const answers = [listed(aBinEntry(), other), holds, answer(scan.purge, null)]
    const { user, calls } = renderScreen(ui, { at: '/scan/bin', as: 'admin', answers })
    expect(await screen.findByText('Legal hold: Court (Ms Ada Berg)')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^More for Held, Hanna/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: `More for ${name}` }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete for good…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete for good' }))
    await user.click(dialog.getByRole('button', { name: 'Delete for good' }))
    expect(calls(scan.purge)).toEqual([])
    await user.type(dialog.getByLabelText("Type 'permanently delete' to confirm"), 'permanently delete')
    await user.click(dialog.getByRole('button', { name: 'Delete for good' }))
    expect(await screen.findByText(/^Deleted for good\./)).toBeVisible()
    expect(calls(scan.purge)).toEqual([{ organizationId: northClinic.id, ids: [aBinEntry().id] }])
  })

  it('tells two patients of one name apart, in its rows and on its buttons', async () => {
    const other = aBinEntry({ id: northClinic.id, patientID: 'P-2' })
    renderScreen(ui, { at: '/scan/bin', as: 'admin', answers: [listed(aBinEntry(), other), holds] })
    for (const id of ['P-1001', 'P-2']) {
      expect(await screen.findByRole('cell', { name: id })).toBeVisible()
      for (const act of ['Restore', 'More for'])
        expect(screen.getByRole('button', { name: `${act} Sample, Ruth · ${id} · MR · Knee · Axial T1` })).toBeVisible()
    }
  })

  it.each([
    [undefined, 'Deleted scans are gone at once in this installation, so nothing new comes into the bin.'],
    [1, 'Deleted scans stay here for 1 day, and nobody sees them anywhere else.'],
    [30, 'Deleted scans stay here for 30 days, and nobody sees them anywhere else.'],
  ])('of %s days says how long things stay in it', async (binDays, said) => {
    const settings = binDays === undefined ? {} : { binDays }
    renderScreen(ui, { at: '/scan/bin', as: 'admin', settings, answers: [listed(), holds] })
    expect(await screen.findByText(said, { exact: false })).toBeVisible()
  })

  it.each([
    [['ListBin'], [], []],
    [['ListBin', 'Restore'], ['Restore'], []],
    [['ListBin', 'Hold'], ['More for'], ['Put under legal hold…']],
    [['ListBin', 'Delete'], ['More for'], ['Delete for good…']],
  ])('offers to those who may %j: %j', async (actions, buttons, choices) => {
    const policy = toPolicy('admin').map((entry) => (entry.module === 'Scan' ? { ...entry, actions } : entry))
    const bare = aBinEntry({ patientName: '' })
    const { user, calls } = renderScreen(ui, {
      at: '/scan/bin',
      as: 'admin',
      user: { policy },
      answers: [listed(bare), holds],
    })
    const row = within(await screen.findByRole('row', { name: /P-1001/ }))
    const offered = row.queryAllByRole('button').map((each) => each.getAttribute('aria-label'))
    expect(offered.filter((label) => label?.includes('No name'))).toEqual(
      buttons.map((act) => `${act} No name · P-1001 · MR · Knee · Axial T1`),
    )
    expect(calls(scan.listHolds)).toHaveLength(actions.includes('Hold') ? 1 : 0)
    if (choices.length === 0) return
    await user.click(row.getByRole('button', { name: /^More for/ }))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(choices)
  })

  it('says of a hold without a name whose it is before it ends', async () => {
    const hold: LegalHold = {
      ...held,
      organizationId: northClinic.id,
      studyUID: '2.25.100',
      patientName: '',
      studyDescription: 'Knee',
      seriesUID: null,
      isByProvider: false,
      endedDate: null,
      endedByUser: null,
    }
    const { user } = renderScreen(ui, {
      at: '/scan/bin',
      as: 'admin',
      answers: [listed(), answer(scan.listHolds, { rows: [hold], total: 1 })],
    })
    await user.click(await screen.findByRole('button', { name: /^End the legal hold of No name/ }))
    expect(await screen.findByRole('dialog', { name: 'End the legal hold?' })).toHaveTextContent('No name')
  })

  it('is not for staff [P01]', async () => {
    renderScreen(ui, { at: '/scan/bin', as: 'staff', answers: [] })
    expect(await screen.findByText(/^Your account is not allowed to see the bin\./)).toBeVisible()
  })
})

it('shows a transfer that has not left, and stops it without a question [P54, 5.12]', async () => {
  const waiting = aTransfer({ state: 'Queued', leavesInSeconds: 52 })
  const [first] = waiting.scans
  const failed = first ? [{ ...first, state: 'Failed' as const }] : []
  const stopped = aTransfer({ state: 'Failed', finishedDate: '2026-05-05T09:00:10.000Z', scans: failed })
  const { user, calls } = renderScreen(ui, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, () => (calls(scan.stopTransfer).length > 0 ? [stopped] : [waiting])),
      answer(scan.listFilters, []),
      answer(scan.stopTransfer, stopped),
    ],
  })
  expect(await screen.findByText(/^Leaves in 0:5[0-2]$/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Stop the transfer to South-Clinic' }))
  expect(await screen.findByText('Transfer to South-Clinic stopped. Nothing was sent.')).toBeVisible()
  expect(calls(scan.stopTransfer)).toEqual([{ id: waiting.id }])
})
