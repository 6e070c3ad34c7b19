import { organization, scan } from '@dmp/contract'
import { anId, anImport, aTransfer, northClinic } from '@dmp/contract/examples'
import type { Transfer } from '@dmp/contract/scan'
import { TaskTray } from '@dmp/kit/ui'
import { answer, type Line, type Role } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { renderPage } from '../testing/renderPage.ts'
import { Work } from './Work.tsx'
import { WorkSlot } from './WorkSlot.tsx'

const now = () => new Date().toISOString()
const [first] = aTransfer().scans
if (!first) throw new Error('a transfer without scans')
const [arrived, failed] = [
  { ...first, state: 'Done', imagesDone: 20 } as const,
  { ...first, seriesUID: '2.25.201', state: 'Failed', imagesDone: 0, message: 'No room.' } as const,
]
const nothing = [
  answer(organization.listExports, []),
  answer(organization.listImports, []),
  answer(scan.listOwnDeletions, []),
]
const aDeletion = { organizationId: northClinic.id, seriesIdList: ['2.25.200'], deletedDate: now() }
const draw = (answers: readonly Line[], as: Role = 'admin') =>
  renderPage(
    <>
      <TaskTray />
      <Work />
    </>,
    { at: '/dashboard', as, answers: [...nothing, answer(scan.listTransfers, []), ...answers] },
  )
const open = async (user: ReturnType<typeof draw>['user']) => {
  await user.click(await screen.findByRole('button', { name: /^Tasks/ }))
  return within(await screen.findByRole('dialog', { name: 'Tasks' }))
}
const focusWindow = () => act(() => void window.dispatchEvent(new Event('focus')))

describe('the work that the server does for a person [P78]', () => {
  it('is among the tasks of a page that began none of it, with Stop while nothing has left', async () => {
    const message = 'Ada Admin hat die Übertragung gestoppt.'
    const stopped = aTransfer({
      state: 'Failed',
      finishedDate: now(),
      scans: [{ ...failed, message, isStopped: true }],
    })
    let transfer = aTransfer({ state: 'Queued', leavesInSeconds: 42, scans: [first, failed] })
    const { user, calls } = draw([
      answer(scan.listTransfers, () => [transfer]),
      answer(scan.stopTransfer, () => (transfer = stopped)),
    ])
    const dialog = await open(user)
    expect(dialog.getByText('Leaves in 42 seconds: 2 scans')).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Transfer to South-Clinic' })).toHaveAttribute('href', '/scan')
    await user.click(dialog.getByRole('button', { name: 'Stop: Transfer to South-Clinic' }))
    expect(await screen.findByText('Transfer to South-Clinic stopped. Nothing was sent.')).toBeVisible()
    expect(calls(scan.stopTransfer)).toEqual([{ id: transfer.id }])
    await waitFor(() => expect(dialog.queryByRole('button', { name: /^Stop/ })).not.toBeInTheDocument())
    // Nobody is alarmed by what they wanted.
    expect(dialog.getByText('Stopped. Nothing was sent.')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Tasks !' })).not.toBeInTheDocument()
    expect(screen.queryByText(/The transfer to South-Clinic failed/)).not.toBeInTheDocument()
  })

  it('is followed to its end, which is told once, and says how many arrived', async () => {
    let transfers: Transfer[] = [aTransfer()]
    const { user } = draw([answer(scan.listTransfers, () => transfers)])
    const dialog = await open(user)
    expect(dialog.getByRole('progressbar', { name: 'Transfer to South-Clinic' })).toHaveAttribute('aria-valuenow', '25')
    const ended = aTransfer({ state: 'Done', finishedDate: now(), scans: [arrived, failed] })
    transfers = [ended]
    // As when somebody comes back from another tab.
    focusWindow()
    expect(
      await screen.findByText(
        'The transfer to South-Clinic is complete, but 1 of 2 scans were not transferred. See the scan list for the reasons.',
      ),
    ).toBeVisible()
    expect(dialog.getByText('1 of 2 scans arrived')).toBeInTheDocument()
    const notice = /The transfer to South-Clinic is complete/
    await user.click(screen.getByRole('button', { name: 'Close notification' }))
    await waitFor(() => expect(screen.queryByText(notice)).not.toBeInTheDocument())
    // Of another transfer there is news, and of this one none.
    transfers = [ended, aTransfer({ id: anId(9), dstOrganizationName: 'West-Clinic' })]
    focusWindow()
    expect(await dialog.findByRole('progressbar', { name: 'Transfer to West-Clinic' })).toBeVisible()
    expect(screen.queryByText(notice)).not.toBeInTheDocument()
  })

  it('is told of where it was over before the page heard of it, and not when it ended long ago', async () => {
    const ended = (id: number, to: string, ago: number) =>
      aTransfer({
        id: anId(id),
        dstOrganizationName: to,
        state: 'Done',
        finishedDate: new Date(Date.now() - ago).toISOString(),
        scans: [arrived],
      })
    let transfers: Transfer[] = []
    const { user } = draw([answer(scan.listTransfers, () => transfers), answer(scan.listOwnDeletions, [aDeletion])])
    const dialog = await open(user)
    transfers = [ended(1, 'South-Clinic', 200), ended(2, 'West-Clinic', 300_000)]
    focusWindow()
    expect(await screen.findByText('The transfer to South-Clinic is complete')).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Transfer to West-Clinic' })).toBeInTheDocument()
    expect(screen.queryByText('The transfer to West-Clinic is complete')).not.toBeInTheDocument()
  })

  it('that is held back is told once, and not again by each page that is opened while it waits', async () => {
    const held = (id: number, to: string) =>
      aTransfer({
        id: anId(id),
        dstOrganizationName: to,
        scans: [{ ...first, state: 'Queued', held: { id: anId(100 + id), pictures: 1 } }],
      })
    let transfers: Transfer[] = [held(1, 'South-Clinic')]
    const { user } = draw([answer(scan.listTransfers, () => transfers)])
    const dialog = await open(user)
    expect(dialog.getByRole('link', { name: 'Transfer to South-Clinic' })).toBeInTheDocument()
    transfers = [held(1, 'South-Clinic'), held(2, 'West-Clinic')]
    focusWindow()
    expect(await screen.findByText(/^The transfer to West-Clinic waits: 1 picture may show text/)).toBeVisible()
    expect(screen.queryByText(/^The transfer to South-Clinic waits/)).not.toBeInTheDocument()
  })

  it('is news for a day, and not told of when the page did not see it under way', async () => {
    const day = 86_400_000
    const ended = (id: number, ago: number) =>
      aTransfer({
        id: anId(id),
        dstOrganizationName: `Clinic ${id}`,
        state: 'Done',
        finishedDate: new Date(Date.now() - ago).toISOString(),
        scans: [arrived],
      })
    const { user } = draw([answer(scan.listTransfers, [ended(1, 1000), ended(2, day + 60_000)])])
    const dialog = await open(user)
    expect(dialog.getByRole('link', { name: 'Transfer to Clinic 1' })).toBeInTheDocument()
    expect(dialog.getByText('1 scan arrived')).toBeInTheDocument()
    expect(dialog.queryByRole('link', { name: 'Transfer to Clinic 2' })).not.toBeInTheDocument()
    expect(screen.queryByText(/is complete/)).not.toBeInTheDocument()
  })

  it('has deletions with Undo, which takes back what went together', async () => {
    const input = { organizationId: northClinic.id, seriesIdList: ['2.25.200', '2.25.201'] }
    let found = [{ ...input, deletedDate: now() }]
    const { user, calls } = draw([
      answer(scan.listOwnDeletions, () => found),
      answer(scan.undoDelete, () => {
        found = []
        return null
      }),
    ])
    const dialog = await open(user)
    await user.click(dialog.getByRole('button', { name: 'Undo: 2 scans deleted' }))
    expect(await screen.findByText('2 scans restored')).toBeVisible()
    expect(calls(scan.undoDelete)).toEqual([input])
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Tasks/ })).not.toBeInTheDocument())
  })

  it('has the exports and imports that the person started, and not those of others', async () => {
    const anExport = (id: number, createdBy: string) => ({
      id: anId(id),
      state: 'Running' as const,
      createdBy,
      createdDate: now(),
      objects: 10,
      objectsDone: 4,
      bytes: null,
      readyDate: null,
      expiresDate: null,
      reason: null,
      endedBy: null,
    })
    const { user } = draw([
      answer(organization.listExports, [anExport(1, 'Somebody Else'), anExport(2, 'Ms Ada Berg')]),
    ])
    const dialog = await open(user)
    expect(dialog.getAllByRole('link', { name: 'Export of the organization' })).toHaveLength(1)
    expect(dialog.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  })

  it('has an export for a day from when it was ready, however long that took', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const anExport = (id: number, readyDate: string | null) => ({
      id: anId(id),
      state: 'Ready' as const,
      createdBy: 'Ms Ada Berg',
      createdDate: ago(3),
      objects: 10,
      objectsDone: 10,
      bytes: 1,
      readyDate,
      expiresDate: null,
      reason: null,
      endedBy: null,
    })
    const { user } = draw([answer(organization.listExports, [anExport(1, ago(0.5)), anExport(2, ago(2))])])
    const dialog = await open(user)
    expect(dialog.getAllByText('Ready to download')).toHaveLength(1)
  })

  it('counts of an import whatever became of its objects', async () => {
    const running = anImport({ state: 'Running', objects: 100, stored: 1, present: 20, refused: 4, endedDate: null })
    const { user } = draw([answer(organization.listImports, [running])])
    const dialog = await open(user)
    expect(dialog.getByRole('link', { name: 'Import into the organization' })).toBeInTheDocument()
    expect(dialog.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  })

  it('is not asked for by people who may not have it [6.02]', async () => {
    const { calls } = draw([answer(scan.listTransfers, [])], 'staff')
    focusWindow()
    for (const call of [scan.listTransfers, scan.listOwnDeletions]) expect(calls(call)).toEqual([])
    expect(calls(organization.listExports)).toEqual([])
  })

  it('is not asked for again while nobody looks at the page', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = draw([answer(scan.listTransfers, [aTransfer()])])
    await waitFor(() => expect(calls(scan.listTransfers)).toHaveLength(1))
    await act(() => jest.advanceTimersByTimeAsync(3500))
    expect(calls(scan.listTransfers)).toHaveLength(2)
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    await act(() => jest.advanceTimersByTimeAsync(10_000))
    expect(calls(scan.listTransfers)).toHaveLength(2)
    hidden.mockRestore()
    focusWindow()
    await waitFor(() => expect(calls(scan.listTransfers)).toHaveLength(3))
    jest.useRealTimers()
  })

  it('is told as it is by now, however long the answer takes', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    let ms = 0
    let transfer = aTransfer()
    const { calls } = draw([
      answer(scan.listTransfers, () => new Promise((reply) => void setTimeout(() => reply([transfer]), ms)) as never),
    ])
    expect(await screen.findByRole('button', { name: 'Tasks 25%' })).toBeVisible()
    ms = 8000
    transfer = aTransfer({ scans: [{ ...first, imagesDone: first.images / 2 }] })
    await act(() => jest.advanceTimersByTimeAsync(12_000))
    expect(screen.getByRole('button', { name: 'Tasks 50%' })).toBeVisible()
    expect(calls(scan.listTransfers)).toHaveLength(2)
    jest.useRealTimers()
  })

  it('is asked for a little after the page, which does not wait for it', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = renderPage(<WorkSlot />, {
      at: '/dashboard',
      as: 'admin',
      answers: [answer(scan.listTransfers, [aTransfer()]), ...nothing],
    })
    expect(calls(scan.listTransfers)).toEqual([])
    await act(() => jest.advanceTimersByTimeAsync(2000))
    expect(await screen.findByRole('button', { name: 'Tasks 25%' })).toBeVisible()
    jest.useRealTimers()
  })
})
