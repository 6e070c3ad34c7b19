import { organization, scan } from '@dmp/contract'
import { aConflict, northClinic, southClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (answers: readonly Line[], as: ScreenOptions['as'] = 'admin', user: ScreenOptions['user'] = {}) =>
  renderScreen(<App notFound={null} />, { at: '/scan/conflicts', as, user, answers })
const conflicts = (...rows: ReturnType<typeof aConflict>[]) => answer(scan.listConflicts, { rows, total: rows.length })
const cells = (row: HTMLElement): string[] =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

describe('conflicts', () => {
  it('lists what contradicts what is stored: both patients, how many images, and what became of them', async () => {
    const { calls } = draw([conflicts(aConflict(), aConflict({ id: aConflict().organizationId, isStored: true }))])
    await screen.findAllByRole('button', { name: /^Compare/ })
    const [, first, second] = screen.getAllByRole('row')
    expect(cells(first!).slice(1, 6)).toEqual([
      'Another patient in a study',
      'Sample, Ruth · P-1001',
      'Sample, Otto · P-2002',
      '12',
      'Refused',
    ])
    expect(cells(second!)[5]).toBe('Both stored')
    expect(calls(scan.listConflicts)).toMatchObject([{ organizationId: northClinic.id, state: 'open' }])
  })

  it('shows both sides, marks what differs, says what to do, and leads to what is stored [P32]', async () => {
    const { user } = draw([conflicts(aConflict())])
    await user.click(await screen.findByRole('button', { name: /^Compare Sample, Ruth .* with Sample, Otto/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Another patient in a study' }))
    const row = (name: RegExp) => cells(dialog.getByRole('row', { name }))
    expect(row(/Patient ID/)).toEqual(['P-1001', 'P-2002'])
    expect(dialog.getAllByText('differs')).toHaveLength(4)
    expect(dialog.queryByRole('row', { name: /Study Date differs/ })).not.toBeInTheDocument()
    expect(dialog.getByText(/name another patient, and were refused/)).toBeInTheDocument()
    expect(dialog.getByText(/correct it where they were made, and send them again/)).toBeInTheDocument()
    expect(dialog.getByText(/12 objects · Upload · sent by Ms Ada Berg/)).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Show the scans of the stored study' })).toHaveAttribute(
      'href',
      '/scan?searchTerm=2.25.100',
    )
  })

  it('names the machine that sent it, not the person who answers for it', async () => {
    const { user } = draw([conflicts(aConflict({ sender: 'trial-a all' }))])
    await user.click(await screen.findByText('Columns'))
    await user.click(screen.getByRole('checkbox', { name: 'Sent By' }))
    expect(screen.getByRole('cell', { name: 'trial-a all' })).toBeVisible()
    await user.click(await screen.findByRole('button', { name: /^Compare/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/12 objects · Upload · sent by trial-a all/)).toBeInTheDocument()
    expect(dialog.queryByText(/Ada Berg/)).not.toBeInTheDocument()
  })

  it('says of what was merged before that both are stored, and leads to both', async () => {
    const { user } = draw([conflicts(aConflict({ isStored: true }))])
    await user.click(await screen.findByRole('button', { name: /^Compare/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/series of two patients. Both are stored/)).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Open the scan that contradicts' })).toHaveAttribute(
      'href',
      `/scan/detail/${northClinic.id}/2.25.201`,
    )
  })

  it.each([
    ['OtherStudy', 'One series in two studies', 'Open the stored scan'],
    ['OtherContent', 'Two images with one UID', 'Open the stored scan'],
  ] as const)('has words of its own for %s', async (kind, title, link) => {
    const stored = { ...aConflict().stored, seriesUID: '2.25.200' }
    const { user } = draw([conflicts(aConflict({ kind, stored }))])
    await user.click(await screen.findByRole('button', { name: /^Compare/ }))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    expect(dialog.getByRole('link', { name: link })).toBeInTheDocument()
    expect(dialog.getByRole('row', { name: /SeriesUID/ })).toBeInTheDocument()
  })

  it('of one image within one scan has its UID, one way to the scan, and no button for those who may not settle it', async () => {
    const stored = { ...aConflict().stored, seriesUID: '2.25.200' }
    const policy = toPolicy('admin').map((entry) =>
      entry.module === 'Scan' ? { ...entry, actions: ['ListConflicts'] } : entry,
    )
    const { user } = draw(
      [conflicts(aConflict({ kind: 'OtherContent', isStored: true, objects: 1, stored, arrived: stored }))],
      'admin',
      { policy },
    )
    await user.click(await screen.findByRole('button', { name: /^Compare/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Open the stored scan'])
    expect(dialog.getByText(/^1 object · /)).toHaveTextContent(/Its UID: /)
    expect(dialog.queryByRole('button', { name: 'Mark as settled' })).toBeNull()
  })

  it('can be seen that are settled, and all', async () => {
    const { user, calls } = draw([conflicts()])
    const choice = await screen.findByRole('combobox', { name: 'State' })
    await user.selectOptions(choice, 'Settled')
    await waitFor(() => expect(calls(scan.listConflicts).at(-1)).toMatchObject({ state: 'settled' }))
    await user.selectOptions(choice, 'All')
    await waitFor(() => expect(calls(scan.listConflicts).at(-1)).not.toHaveProperty('state'))
    expect(screen.queryByText('Nothing contradicts what is stored.')).toBeNull()
  })

  it('is settled by an administrator, and asked again', async () => {
    const settled = aConflict({ settledDate: '2026-05-06T10:00:00.000Z', settledByUser: 'Ms Ada Berg' })
    const { user, calls } = draw([
      answer(scan.listConflicts, () => ({
        rows: calls(scan.settleConflict).length === 0 ? [aConflict()] : [],
        total: calls(scan.settleConflict).length === 0 ? 1 : 0,
      })),
      answer(scan.settleConflict, settled),
    ])
    await user.click(await screen.findByRole('button', { name: /^Compare/ }))
    await user.click(await screen.findByRole('button', { name: 'Mark as settled' }))
    expect(await screen.findByText('Nothing contradicts what is stored.')).toBeVisible()
    expect(calls(scan.settleConflict)).toEqual([{ id: aConflict().id }])
  })

  it('shows an upload that contradicts without a reload', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] })
    let rows = [aConflict()]
    draw([answer(scan.listConflicts, () => ({ rows, total: rows.length }))])
    await act(() => jest.advanceTimersByTimeAsync(1000))
    rows = [aConflict({ id: northClinic.id, kind: 'OtherStudy' }), ...rows]
    await act(() => jest.advanceTimersByTimeAsync(7000))
    expect(screen.getByText('One series in two studies')).toBeVisible()
    jest.useRealTimers()
  })

  it('is not asked for while nobody looks at the page, and at once when somebody does again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = draw([conflicts(aConflict())])
    await screen.findByRole('button', { name: /^Compare/ })
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await act(() => jest.advanceTimersByTimeAsync(12_000))
    expect(calls(scan.listConflicts)).toHaveLength(1)
    sight.mockRestore()
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'))
      await jest.advanceTimersByTimeAsync(100)
    })
    expect(calls(scan.listConflicts)).toHaveLength(2)
    jest.useRealTimers()
  })

  it('is shown by organization to the provider, and to nobody without the right [P01]', async () => {
    const { calls } = draw(
      [answer(organization.listActivated, [northClinic, southClinic]), conflicts(aConflict())],
      'super_admin',
    )
    expect(await screen.findByRole('combobox', { name: 'Organization' })).toBeVisible()
    expect(calls(scan.listConflicts)).toMatchObject([{ organizationId: northClinic.id }])
  })

  it('says to those without the right whom to ask', async () => {
    draw([], 'staff')
    expect(await screen.findByText(/not allowed to see conflicts. Ask an administrator/)).toBeVisible()
  })
})
