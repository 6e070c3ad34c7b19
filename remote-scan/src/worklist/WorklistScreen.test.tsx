import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import type { SharedStudy, Study } from '@dmp/contract/scan'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { button, draw, jonas, list, namesInOrder, rowOf, ruth, table } from './worklistInTests.tsx'

let open: jest.SpyInstance
beforeEach(() => {
  localStorage.clear()
  open = jest.spyOn(window, 'open').mockReturnValue(null)
})
afterEach(() => open.mockRestore())

describe('the worklist', () => {
  it('has a line per study, those of one patient together, and names nobody in the tab [P23]', async () => {
    draw()
    expect(await namesInOrder()).toEqual(['2.25.100', '2.25.102', '2.25.101'])
    expect(document.title).toBe('Worklist · Data Management Platform')
    const row = within(await rowOf(/Select Sample, Ruth, Knee/))
    for (const text of ['P-1001', 'Knee', 'MR', '2026-05-04', '20', 'New']) expect(row.getByText(text)).toBeVisible()
    expect(within(await rowOf(/Example, Jonas/)).getByText('Shared')).toBeVisible()
    expect(within(await rowOf(/Example, Jonas/)).queryByText('New')).toBeNull()
    expect(screen.getByText('1 to 3 of 3')).toBeVisible()
  })

  it('opens a study to its series, each with its own actions', async () => {
    const { user, path } = draw()
    await user.click(await button(/Series of Example, Jonas/))
    await user.click(screen.getByRole('button', { name: 'View Late of Example, Jonas, P-2' }))
    expect(open.mock.calls[0]?.[0]).toContain('2.25.302')
    await user.click(screen.getByRole('link', { name: 'Late' }))
    expect(path()).toBe(`/scan/detail/${northClinic.id}/2.25.302`)
  })

  it('keeps its studies while the line is lost, and says that they are from before', async () => {
    let isOffline = false
    const { user } = draw([
      answer(scan.listStudies, () =>
        isOffline ? new CallError(0, 'OFFLINE', 'You are offline.') : { rows: [ruth], total: 1 },
      ),
    ])
    await screen.findByText('Sample, Ruth')
    isOffline = true
    await user.type(screen.getByRole('searchbox', { name: 'Search studies' }), 'doe{Enter}')
    expect(
      await screen.findByText(/^These studies are from before the connection/, {}, { timeout: 4000 }),
    ).toBeVisible()
    expect(screen.getByText('Sample, Ruth')).toBeVisible()
    isOffline = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('1 to 1 of 1')).toBeVisible()
  })

  it('searches, filters and sorts by its address, which holds all of it', async () => {
    const { user, path, calls } = draw()
    await user.click(await button('New'))
    await waitFor(() => expect(path()).toBe('/scan/worklist?isNew=true'))
    await user.click(screen.getByText('Modality', { selector: 'summary' }))
    await user.click(await screen.findByRole('checkbox', { name: 'CT' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search studies' }), 'doe peter{Enter}')
    await waitFor(() => expect(path()).toBe('/scan/worklist?searchTerm=doe+peter&modality=CT&isNew=true'))
    await user.click(screen.getByRole('button', { name: 'Patient' }))
    await waitFor(() => expect(path()).toContain('sort=patientName'))
    expect(calls(scan.listStudies).at(-1)).toMatchObject({
      search: 'doe peter',
      modality: 'CT',
      isNew: 'true',
      sort: 'patientName',
      direction: 'asc',
    })
    await user.click(await button('Clear all'))
    await waitFor(() => expect(path()).toBe('/scan/worklist?sort=patientName'))
  })

  it('reads whatever an address says, and leaves out what it does not know', async () => {
    const { calls } = draw(undefined, {
      at: '/scan/worklist?searchTerm=knee&modality=CT,MR&studyFrom=yesterday&sort=evil&page=-4&columns=study,evil',
    })
    await namesInOrder()
    expect(calls(scan.listStudies)).toEqual([
      expect.objectContaining({ search: 'knee', modality: 'CT,MR', sort: 'arrivedDate', page: '1' }),
    ])
    expect(calls(scan.listStudies)[0]).not.toHaveProperty('studyFrom')
    const headings = within(await table()).getAllByRole('columnheader')
    expect(headings.map(({ textContent }) => textContent)).toEqual(['', 'Patient', 'Study', 'Actions'])
  })
})

it('comes back as it was left, and can be cleared then', async () => {
  const { path, goTo, user } = draw(undefined, { at: '/scan/worklist?isNew=true' })
  await namesInOrder()
  await goTo(`/scan/detail/${northClinic.id}/2.25.200`)
  await screen.findByText('Institution Name')
  await goTo('/scan/worklist')
  await waitFor(() => expect(path()).toBe('/scan/worklist?isNew=true'))
  await user.click(await button('Clear all'))
  await waitFor(() => expect(path()).toBe('/scan/worklist'))
  expect(await button('New')).toHaveAttribute('aria-pressed', 'false')
})

describe('what is empty, waits or failed', () => {
  it('offers the first upload where there is nothing, and the way back where nothing matches', async () => {
    const { user, path, unmount } = draw([list([])])
    await user.click(await button('Upload the first scans'))
    expect(path()).toBe('/scan/upload')
    unmount()
    const narrowed = draw([list([])], { at: '/scan/worklist?searchTerm=nobody' })
    expect(await screen.findByText('No studies match “nobody”')).toBeVisible()
    await narrowed.user.click(await button('Show all studies'))
    await waitFor(() => expect(narrowed.path()).toBe('/scan/worklist'))
  })

  it('says neither "no studies" nor a number while it loads or after an error', async () => {
    const { unmount } = draw([answer(scan.listStudies, 'pending')])
    const loading = await table()
    expect(screen.queryByText(/No studies|of 0/)).toBeNull()
    // Where a heading has no room, the grey below it has none either.
    const columnsOf = (cells: string) =>
      [...loading.querySelectorAll<HTMLElement>(`${cells}[data-column]`)].map(({ dataset }) => dataset.column)
    expect(columnsOf('th').length).toBeGreaterThan(3)
    expect(columnsOf('tbody tr:first-child td')).toEqual(['check', 'patient', ...columnsOf('th'), 'end'])
    unmount()
    draw([answer(scan.listStudies, new CallError(503, 'NOT_READY', 'The database is restarting.'))])
    expect(await screen.findByText(/The database is restarting/)).toBeVisible()
    expect(screen.queryByText(/No studies|of 0/)).toBeNull()
  })
})

describe('studies that arrive', () => {
  it('are announced where nothing moves, and come in when one asks for them [P77]', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    let count = 0
    let studies: readonly Study[] = [jonas]
    const { user, calls } = draw([
      answer(scan.listStudies, () => ({ rows: studies, total: studies.length })),
      answer(scan.countStudies, () => ({ count })),
    ])
    await rowOf(/Example, Jonas/)
    expect(screen.queryByText(/new stud/)).toBeNull()
    const head = screen.getByText('1 to 1 of 1').parentElement
    count = 1
    studies = [ruth, jonas]
    await act(() => jest.advanceTimersByTimeAsync(21_000))
    const line = await button('1 new study · Show')
    // In a line that was there before, so that it moves nothing.
    expect(head).toContainElement(line)
    expect(calls(scan.countStudies).at(-1)).toMatchObject({ arrivedAfter: jonas.arrivedDate })
    expect(screen.queryByText('Sample, Ruth')).toBeNull()
    count = 0
    await user.click(line)
    expect(await screen.findByText('Sample, Ruth')).toBeVisible()
    await waitFor(() => expect(screen.queryByText(/new stud/)).toBeNull())
    jest.useRealTimers()
  })

  it('are not asked for while nobody looks at the page, and at once when somebody does again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = draw()
    await rowOf(/Example, Jonas/)
    const asked = () => calls(scan.countStudies).length
    await waitFor(() => expect(asked()).toBe(1))
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await act(() => jest.advanceTimersByTimeAsync(61_000))
    expect(asked()).toBe(1)
    sight.mockRestore()
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'))
      await jest.advanceTimersByTimeAsync(100)
    })
    expect(asked()).toBe(2)
    jest.useRealTimers()
  })
})

describe('a selection', () => {
  it('stays in sight over a search, says what cannot be seen, and a transfer names it [5.12]', async () => {
    const { user } = draw([
      answer(scan.listStudies, ({ search }) => ({ rows: search ? [jonas] : [ruth, jonas], total: 2 })),
      answer(scan.listTransferProjects, []),
    ])
    await user.click(await screen.findByRole('checkbox', { name: /Select Sample, Ruth/ }))
    await user.click(screen.getByRole('checkbox', { name: /Select Example, Jonas/ }))
    await user.type(screen.getByRole('searchbox', { name: 'Search studies' }), 'jonas{Enter}')
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    expect(await bar.findByText('· 1 not in this view', { exact: false })).toBeVisible()
    expect(bar.getByText('2 selected')).toBeVisible()
    await user.click(bar.getByRole('button', { name: 'Transfer…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Batch Transfer' }))
    await waitFor(() => expect(dialog.getByText('Sample, Ruth')).toBeVisible())
    expect(dialog.getAllByText('Example, Jonas')).toHaveLength(2)
    expect(dialog.getByText('3 scans of 2 patients, 60 images')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  })

  it('is shared by one link, which says that it opens two patients and takes one of them out again', async () => {
    const sharedStudy = ({ studyUID, patientName, patientID, birthDate, sex, series }: Study): SharedStudy => ({
      studyUID,
      patientName,
      patientID,
      birthDate,
      sex,
      description: 'Study',
      studyDate: '2026-05-04',
      series: series.map(({ seriesUID }) => ({ seriesUID, modality: 'MR', description: 'Series', images: 2 })),
    })
    const { user, calls } = draw([
      list([ruth, jonas]),
      answer(scan.listShareable, [ruth, jonas].map(sharedStudy)),
      answer(scan.share, { downloadUrl: '/share/secret' }),
    ])
    await user.click(await screen.findByRole('checkbox', { name: /Select Sample, Ruth/ }))
    await user.click(screen.getByRole('checkbox', { name: /Select Example, Jonas/ }))
    await user.click(await button('Share…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Share' }))
    const opens = await dialog.findByText('The link opens 3 scans with 6 images.')
    // The dialog fades in.
    await waitFor(() => expect(opens).toBeVisible())
    const warning = 'These scans are of 2 patients. Everyone with the link sees all of them.'
    expect(dialog.getByText(warning)).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: /^Are you sure you want to share these scans\?/ })).toBeVisible()
    await user.click(within(dialog.getByRole('group', { name: /Sample, Ruth/ })).getByRole('checkbox'))
    expect(dialog.queryByText(warning)).toBeNull()
    await user.click(dialog.getByRole('checkbox', { name: /Are you sure/ }))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toMatchObject([{ seriesUID: '2.25.301', alsoSeriesUIDs: ['2.25.302'] }])
  })

  it('is shown, reduced and cleared from the bar', async () => {
    const { user } = draw()
    await screen.findAllByText('Sample, Ruth')
    await user.click(screen.getByRole('checkbox', { name: 'Select all studies on this page' }))
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    await user.click(bar.getByRole('button', { name: 'Show' }))
    await user.click(await button('Deselect Example, Jonas, Heart, P-2'))
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!)
    expect(bar.getByText('2 selected')).toBeVisible()
    await user.click(bar.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })

  it('has a study once that was chosen alone and then with its page', async () => {
    const { user } = draw()
    await user.click(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ }))
    await user.click(screen.getByRole('checkbox', { name: 'Select all studies on this page' }))
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    expect(bar.getByText('3 selected')).toBeVisible()
  })

  it('is deleted with the phrase, after everything was named [5.15]', async () => {
    const { user, calls } = draw([list(), answer(scan.remove, null)])
    await user.click(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ }))
    await user.click(await button('Delete…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete' }))
    await waitFor(() =>
      expect(dialog.getAllByRole('listitem')[1]).toHaveTextContent(
        'Example, JonasP-1001MR · Late · 2026-05-0420 images',
      ),
    )
    await user.type(dialog.getByLabelText("Type 'permanently delete' to confirm"), 'permanently delete')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('2 scans deleted')).toBeVisible()
    expect(calls(scan.remove)).toEqual([{ organizationId: northClinic.id, seriesIdList: ['2.25.301', '2.25.302'] }])
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })
})

describe('a row', () => {
  it('downloads one of several series, and the dialog names the patient [5.14]', async () => {
    const { user } = draw()
    await user.click(await button(/More for Example, Jonas/))
    await user.click(screen.getByRole('menuitem', { name: 'Download…' }))
    await user.click(await button(/Late/))
    const dialog = within(await screen.findByRole('dialog', { name: 'Download' }))
    const patient = within(dialog.getByRole('group', { name: 'Patient' }))
    await waitFor(() => expect(patient.getByText('Example, Jonas')).toBeVisible())
    expect(dialog.getByText('Born 1970-02-03')).toBeVisible()
  })

  it('offers only what the policy allows [6.02, 6.06]', async () => {
    const { user } = draw(undefined, { as: 'staff' })
    await user.click(await button(/More for Example, Jonas/))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Open details',
      'All studies of the patient',
      'Share…',
      'Download…',
    ])
  })
})
