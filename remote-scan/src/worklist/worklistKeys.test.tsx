import { scan } from '@dmp/contract'
import { aScan, aScanRow, aSharedStudy, aStudy, northClinic } from '@dmp/contract/examples'
import { listKeys, toKeyCaps, useKeys, writeKeys } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const studies = [
  aStudy(),
  aStudy({
    studyUID: '2.25.101',
    patientName: 'Example, Jonas',
    patientID: 'P-2',
    description: 'Heart',
    series: [aScanRow({ studyUID: '2.25.101', seriesUID: '2.25.301', seriesDescription: 'Cine' })],
  }),
]
let listed = studies
beforeEach(() => {
  listed = studies
})
const view = {
  id: '00000000-0000-4000-9000-000000000001',
  name: 'Mornings',
  search: '',
  sortColumn: '',
  sortDirection: '',
}

const draw = () =>
  renderScreen(<App notFound={null} />, {
    at: '/scan/worklist',
    as: 'admin',
    answers: [
      answer(scan.listStudies, () => ({ rows: listed, total: 2 })),
      answer(scan.getStudyKinds, { modalities: [], bodyParts: [], sources: [] }),
      answer(scan.countStudies, { count: 0 }),
      answer(scan.listTransfers, []),
      answer(scan.get, aScan()),
      answer(scan.listShares, []),
      answer(scan.listShareable, [aSharedStudy()]),
      answer(scan.addFilter, { ...view, query: 'isNew=true', isShared: true, isOwn: true }),
      answer(scan.listFilters, [
        { ...view, query: 'isNew=true&columns=study', isShared: true, isOwn: false },
        { ...view, id: '00000000-0000-4000-9000-000000000002', name: 'Own', query: 'modality=CT', isOwn: true },
      ]),
    ],
  })

let open: jest.SpyInstance
beforeEach(() => {
  localStorage.clear()
  open = jest.spyOn(window, 'open').mockReturnValue(null)
})
afterEach(() => open.mockRestore())

describe('keys of the worklist', () => {
  it('share what is selected, wherever the cursor is, as the bar says [P23]', async () => {
    const { user, calls } = draw()
    await screen.findByText('Sample, Ruth')
    await user.keyboard('jxjs')
    expect(screen.getByRole('link', { name: 'Example, Jonas' })).toHaveFocus()
    await screen.findByRole('dialog', { name: /^Share/ })
    await waitFor(() => expect(calls(scan.listShareable)).toHaveLength(1))
    expect(calls(scan.listShareable)[0]).toMatchObject({ seriesUIDs: ['2.25.200'] })
  })

  it('tick all from the one before to this, with Shift', async () => {
    const { user } = draw()
    const boxes = await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ })
    await user.click(boxes[0] as HTMLElement)
    await user.keyboard('{Shift>}')
    await user.click(boxes.at(-1) as HTMLElement)
    for (const box of boxes) expect(box).toBeChecked()
    await user.click(boxes[0] as HTMLElement)
    await user.keyboard('{/Shift}')
    for (const box of boxes) expect(box).not.toBeChecked()
  })

  it('tick only this, with Shift, where the one before is not in the list any more', async () => {
    const { user } = draw()
    await user.click(await screen.findByRole('checkbox', { name: /Select Sample, Ruth/ }))
    listed = [aStudy({ studyUID: '2.25.103', patientName: 'Third, Thea', patientID: 'P-3' }), studies[1]!]
    await user.type(screen.getByRole('searchbox', { name: 'Search studies' }), 'thea{Enter}')
    const third = await screen.findByRole('checkbox', { name: /Select Third, Thea/ })
    await user.keyboard('{Shift>}')
    await user.click(third)
    await user.keyboard('{/Shift}')
    expect(third).toBeChecked()
    expect(screen.getByRole('checkbox', { name: /Select Example, Jonas/ })).not.toBeChecked()
    expect(screen.getByText('2 selected')).toBeVisible()
  })

  it('walk, select, preview, view, share and open', async () => {
    const { user, path } = draw()
    await screen.findByText('Sample, Ruth')
    await user.keyboard('jj')
    expect(screen.getByRole('link', { name: 'Example, Jonas' })).toHaveFocus()
    await user.keyboard('x')
    expect(screen.getByRole('checkbox', { name: /Select Example, Jonas/ })).toBeChecked()
    await user.keyboard('k')
    expect(screen.getByRole('link', { name: 'Sample, Ruth' })).toHaveFocus()
    await user.keyboard(' ')
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
    expect(preview.getByText('Sample, Ruth')).toBeVisible()
    expect(preview.getByText('Accession number').nextElementSibling).toHaveTextContent('A-1')
    await user.keyboard('j')
    expect(
      await within(screen.getByRole('complementary', { name: 'Preview' })).findByText('Example, Jonas'),
    ).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary', { name: 'Preview' })).toBeNull()
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole('link', { name: 'Cine' })).toBeVisible()
    await user.keyboard('{ArrowLeft}')
    expect(screen.queryByRole('link', { name: 'Cine' })).toBeNull()
    await user.keyboard('e')
    expect(open.mock.calls[0]?.[0]).toContain('2.25.301')
    await user.keyboard('{Enter}')
    expect(path()).toBe(`/scan/detail/${northClinic.id}/2.25.301`)
  })

  it('begin with the first, stop at both ends, and take back what they did', async () => {
    const { user } = draw()
    await screen.findByText('Sample, Ruth')
    const focused = () => document.activeElement?.textContent
    const preview = () => screen.queryByRole('complementary', { name: 'Preview' })
    // Without a study there is nothing to select, view, share or open.
    await user.keyboard('xes{Enter}{Escape}')
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
    expect(open).not.toHaveBeenCalled()
    await user.keyboard(' ')
    expect(focused()).toBe('Sample, Ruth')
    expect(preview()).toBeNull()
    await user.keyboard('k')
    expect(focused()).toBe('Sample, Ruth')
    await user.keyboard('jjj')
    expect(focused()).toBe('Example, Jonas')
    await user.keyboard(' ')
    expect(preview()).toBeVisible()
    await user.keyboard(' ')
    expect(preview()).toBeNull()
    await user.keyboard('x')
    expect(screen.getByRole('checkbox', { name: /Select Example, Jonas/ })).toBeChecked()
    await user.keyboard('x')
    expect(screen.getByRole('checkbox', { name: /Select Example, Jonas/ })).not.toBeChecked()
    // Opened twice stays open, and the button of the row closes it again.
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(screen.getByRole('link', { name: 'Cine' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: /Series of Example, Jonas/ }))
    expect(screen.queryByRole('link', { name: 'Cine' })).toBeNull()
  })

  it('open the study of the row that was clicked, wherever the focus is by then', async () => {
    const { user, path } = draw()
    await user.click((await screen.findByRole('link', { name: 'Example, Jonas' })).closest('tr')!)
    act(() => (document.activeElement as HTMLElement).blur())
    await user.keyboard('{Enter}')
    expect(path()).toBe(`/scan/detail/${northClinic.id}/2.25.301`)
  })

  it('share from the keyboard, and do nothing while a dialog is open', async () => {
    const { user } = draw()
    await screen.findByText('Sample, Ruth')
    await user.keyboard('js')
    const dialog = await screen.findByRole('dialog', { name: 'Share' })
    await waitFor(() => expect(dialog).toHaveTextContent('Sample, Anna'))
    await user.click(within(dialog).getByRole('slider'))
    await user.keyboard('x')
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })

  it('reach the search, where letters are letters', async () => {
    const { user } = draw()
    await screen.findByText('Sample, Ruth')
    await user.keyboard('/')
    const search = screen.getByRole('searchbox', { name: 'Search studies' })
    expect(search).toHaveFocus()
    await user.keyboard('jxe')
    expect(search).toHaveValue('jxe')
    expect(open).not.toHaveBeenCalled()
  })

  it('stand in the overlay of the page, which a button opens, too', async () => {
    const { user } = draw()
    await screen.findByText('Sample, Ruth')
    const lines = listKeys().map(({ label, keys }) => `${label}: ${keys.flatMap(toKeyCaps).join(' ')}`)
    expect(lines).toEqual([
      'Next study: J',
      'Next study: ↓',
      'Previous study: K',
      'Previous study: ↑',
      'Open the study: Enter',
      'Preview: Space',
      'Show the series: →',
      'Hide the series: ←',
      'Select or deselect: X',
      'View the images: E',
      'Share: S',
      'Search: /',
      'Close the preview: Esc',
    ])
    const overlay = jest.fn()
    renderHook(() => useKeys([{ label: 'Keys', group: 'Everywhere', keys: ['?'], run: overlay }]))
    await user.click(screen.getByRole('button', { name: 'Keys' }))
    expect(overlay).toHaveBeenCalledTimes(1)
  })

  it('can be switched off, all but those without a letter [WCAG 2.1.4]', async () => {
    writeKeys(false)
    const { user } = draw()
    await screen.findByText('Sample, Ruth')
    await user.keyboard('jx')
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
    expect(screen.getByRole('searchbox', { name: 'Search studies' })).not.toHaveAttribute('aria-keyshortcuts')
    act(() => screen.getByRole('link', { name: 'Sample, Ruth' }).focus())
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Example, Jonas' })).toHaveFocus()
    writeKeys(true)
  })
})

describe('views of the worklist', () => {
  it('are kept with filters, order and columns, for oneself or for everybody', async () => {
    const { user, calls, goTo } = draw()
    await goTo('/scan/worklist?isNew=true&sort=patientName&columns=study&page=3')
    await screen.findByText('Sample, Ruth')
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(screen.getByRole('menuitem', { name: 'Save this view…' }))
    await user.type(await screen.findByLabelText('Name'), 'Mornings')
    await user.click(screen.getByRole('checkbox', { name: 'Share with everyone in North-Clinic' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('View Mornings saved')).toBeVisible()
    expect(calls(scan.addFilter)).toEqual([
      expect.objectContaining({
        name: 'Mornings',
        place: 'worklist',
        isShared: true,
        query: 'isNew=true&sort=patientName&columns=study',
      }),
    ])
  })

  it('are applied by one click; a colleague’s can be seen and not deleted', async () => {
    const { user, path } = draw()
    await screen.findByText('Sample, Ruth')
    await user.click(screen.getByRole('button', { name: 'Views' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Mornings (shared)' }))
    await waitFor(() => expect(path()).toBe('/scan/worklist?isNew=true&columns=study'))
    await user.click(await screen.findByRole('button', { name: 'View: Mornings' }))
    await user.click(screen.getByRole('menuitem', { name: 'Manage views…' }))
    const note = await screen.findByText('Shared by a colleague')
    await waitFor(() => expect(note).toBeVisible())
    expect(screen.getAllByRole('button', { name: /^Delete / })).toHaveLength(1)
  })

  it('have columns in an order of one’s own, and three row heights', async () => {
    const { user, path } = draw()
    await screen.findByText('Sample, Ruth')
    await user.click(screen.getByText('Columns', { selector: 'summary' }))
    await user.click(screen.getByRole('button', { name: 'Move Study up' }))
    await waitFor(() => expect(path()).toContain('columns=study%2CpatientID'))
    await user.click(screen.getByRole('radio', { name: 'Roomy' }))
    expect(screen.getByRole('table', { name: 'Studies' })).toHaveAttribute('data-density', 'roomy')
  })
})
