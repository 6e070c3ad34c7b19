import * as complaint from '@dmp/contract/complaint'
import { anId } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { draw, firstCells, paging, query, createRows, table } from '../testing/complaintTable.tsx'

describe('DataTable on a server that pages', () => {
  it.each([
    ['Asia/Tokyo', { search: '2026-03', timeZone: 'Asia/Tokyo' }],
    ['UTC', { search: '2026-03' }],
  ])('means a searched date in the days of the person, as it shows them: in %s [2.63]', async (timeZone, input) => {
    const options = new Intl.DateTimeFormat().resolvedOptions()
    const zone = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone })
    const { calls } = draw([paging(createRows(23))], '/complaint?searchTerm=2026-03&page=1')
    await waitFor(() => expect(calls(complaint.list).at(-1)).toEqual({ page: '1', pageSize: '10', ...input }))
    zone.mockRestore()
  })

  it('asks for one page and shows it, with headings, cell types and counts [2.63, 9.01]', async () => {
    const { calls } = draw([paging(createRows(23))])
    expect(table()).toHaveAttribute('aria-busy', 'true')
    expect(await screen.findByRole('link', { name: 'C-001' })).toHaveAttribute(
      'href',
      `/complaint/detail/${anId(1000)}`,
    )
    expect(firstCells()).toHaveLength(10)
    expect(calls(complaint.list)).toEqual([{ page: '1', pageSize: '10' }])
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Complaint #', 'Status', 'Severity', 'Description', 'Created Date'])
    expect(screen.getByText('1 to 10 of 23')).toBeVisible()
    expect(within(table()).getAllByText('Resolved')[0]).toHaveClass('dmp-badge--success')
    expect(within(table()).getAllByText('Medium')[0]).toHaveClass('dmp-box')
    expect(within(table()).getAllByText('2026-03-02')[0]?.tagName).toBe('TIME')
  })

  it('goes through pages and mirrors its state into the URL without history entries [2.63]', async () => {
    const { user, path, goTo } = draw([paging(createRows(23))])
    await screen.findByRole('link', { name: 'C-001' })
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    expect(await screen.findByRole('link', { name: 'C-021' })).toBeVisible()
    expect(query(path())).toEqual({ page: '3', pageSize: '10', searchTerm: '', sortColumn: '', sortDirection: '' })
    expect(screen.getByText('21 to 23 of 23')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByRole('link', { name: 'C-011' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByRole('link', { name: 'C-021' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByRole('link', { name: 'C-001' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    expect(await screen.findByRole('link', { name: 'C-011' })).toBeVisible()
    await goTo(-1)
    expect(path().startsWith('/complaint?page=2')).toBe(true)
  })

  // React draws an address that changed whenever there is time; a click in between must not go by what the address
  // said before.
  it('takes quick clicks one after the other [2.63]', async () => {
    const { path } = draw([paging(createRows(23))])
    await screen.findByRole('link', { name: 'C-001' })
    const next = screen.getByRole('button', { name: 'Next' })
    const inTests = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
    inTests.IS_REACT_ACT_ENVIRONMENT = false
    for (let click = 0; click < 2; click += 1) {
      next.click()
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
    }
    inTests.IS_REACT_ACT_ENVIRONMENT = true
    expect(query(path()).page).toBe('3')
    expect(await screen.findByRole('link', { name: 'C-021' })).toBeVisible()
  })

  it('shows N entries and starts again at the first page [2.63, 9.01]', async () => {
    const { user, calls } = draw([paging(createRows(60))], '/complaint?page=2')
    await screen.findByRole('link', { name: 'C-011' })
    const size = screen.getByRole('combobox', { name: /^Show .*entries$/ })
    expect(
      within(size)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['10', '25', '50'])
    await user.selectOptions(size, '25')
    await waitFor(() => expect(firstCells()).toHaveLength(25))
    expect(calls(complaint.list).at(-1)).toEqual({ page: '1', pageSize: '25' })
  })

  it('restores page, size, search and order from the URL [2.63, 5.19]', async () => {
    const { calls } = draw(
      [paging(createRows(60))],
      '/complaint?page=2&pageSize=10&searchTerm=knee&sortColumn=1&sortDirection=desc',
    )
    await waitFor(() => expect(firstCells()).toHaveLength(10))
    expect(calls(complaint.list)).toEqual([
      { page: '2', pageSize: '10', search: 'knee', sort: 'status', direction: 'desc' },
    ])
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('knee')
    expect(screen.getByRole('columnheader', { name: 'Status' })).toHaveAttribute('aria-sort', 'descending')
  })

  it('puts right what the URL says wrongly [5.19]', async () => {
    const { path } = draw([paging(createRows(60))], '/complaint?page=1&pageSize=33&sortColumn=0&sortDirection=sideways')
    await waitFor(() => expect(firstCells()).toHaveLength(50))
    expect(query(path())).toMatchObject({ pageSize: '50', sortColumn: '', sortDirection: '' })
  })

  it('sorts ascending, descending, not, ascending by its headings, by the column’s index [2.63]', async () => {
    const { user, path, calls } = draw([paging(createRows(3))])
    await screen.findByRole('link', { name: 'C-001' })
    const seen: string[] = []
    for (let click = 0; click < 4; click++) {
      await user.click(screen.getByRole('button', { name: 'Status' }))
      await waitFor(() => expect(table()).toHaveAttribute('aria-busy', 'false'))
      const { sortColumn, sortDirection } = query(path())
      seen.push(
        `${sortColumn}:${sortDirection}:${screen.getByRole('columnheader', { name: 'Status' }).getAttribute('aria-sort')}`,
      )
    }
    expect(seen).toEqual(['1:asc:ascending', '1:desc:descending', '::none', '1:asc:ascending'])
    expect(calls(complaint.list).filter((input) => input.sort === 'status').length).toBeGreaterThanOrEqual(2)
    expect(screen.queryByRole('button', { name: 'Description' })).not.toBeInTheDocument()
  })

  it('searches once, 200 ms after the last key, from the first page [2.63, 4.16, 9.01]', async () => {
    const { user, calls, path } = draw([paging(createRows(23))], '/complaint?page=2')
    await screen.findByRole('link', { name: 'C-011' })
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'knee')
    expect(screen.getByRole('status', { name: 'Searching' })).toBeVisible()
    expect(calls(complaint.list)).toHaveLength(1)
    await waitFor(() => expect(firstCells()[0]).toBe('C-002'))
    expect(calls(complaint.list).slice(1)).toEqual([{ page: '1', pageSize: '10', search: 'knee' }])
    expect(query(path())).toMatchObject({ page: '1', searchTerm: 'knee' })
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Searching' })).not.toBeInTheDocument())
  })

  it('says which kind of nothing there is [2.63, 8.07]', async () => {
    const { user } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'elbow')
    expect(await screen.findByText('No record found with the filter term.')).toBeVisible()
    expect(screen.getByText('No entries')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(await screen.findByRole('link', { name: 'C-001' })).toBeVisible()
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('')
  })

  it('says no number of entries while the first rows load, and none when they cannot be loaded', async () => {
    const failure = new CallError(503, 'NOT_READY', 'The server is starting.')
    const states: ('pending' | CallError)[] = ['pending', failure]
    for (const state of states) {
      const { unmount } = draw([answer(complaint.list, state)])
      if (state !== 'pending') await screen.findByText('The server is starting.', undefined, { timeout: 4000 })
      expect(await screen.findByRole('table')).toBeInTheDocument()
      expect(screen.queryByText('No entries')).not.toBeInTheDocument()
      unmount()
    }
  })

  it('scrolls to a column that is added, which may lie out of sight', async () => {
    const scrolled: string[] = []
    Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
      scrolled.push(this.textContent)
    }
    const { user } = draw([paging(createRows(1))])
    await screen.findByRole('link', { name: 'C-001' })
    await user.click(screen.getByText('Columns'))
    const [first] = screen.getAllByRole('checkbox').filter((box) => (box as HTMLInputElement).checked)
    await user.click(first!)
    expect(scrolled).toEqual([])
    await user.click(first!)
    expect(scrolled).toEqual([(first as HTMLInputElement).closest('label')?.textContent?.trim()])
    Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  })

  it('says that there is no record, and offers what the screen offers [2.63, 8.07]', async () => {
    draw([paging([])], '/complaint', { empty: <button type="button">Make a complaint</button> })
    expect(await screen.findByText('No record found.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Make a complaint' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Export CSV' })).toBeDisabled()
  })

  it('goes to the last page when its page is gone, and to the first when rows come after none [4.16]', async () => {
    const rows = createRows(0)
    const { user, path } = draw(
      [
        answer(complaint.list, ({ page, pageSize, search }) => {
          const all = search ? createRows(30) : rows
          return {
            rows: all.slice((Number(page) - 1) * Number(pageSize), Number(page) * Number(pageSize)),
            total: all.length,
          }
        }),
      ],
      '/complaint?page=3',
    )
    expect(await screen.findByText('No record found.')).toBeVisible()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'hip')
    expect(await screen.findByRole('link', { name: 'C-001' })).toBeVisible()
    expect(query(path())).toMatchObject({ page: '1' })
    rows.push(...createRows(12))
    await user.clear(screen.getByRole('searchbox', { name: 'Search' }))
    await waitFor(() => expect(screen.getByText('1 to 10 of 12')).toBeVisible())
  })

  it('keeps asking for a page that exists when the URL names one beyond the end [4.16]', async () => {
    const { path } = draw([paging(createRows(12))], '/complaint?page=9')
    expect(await screen.findByRole('link', { name: 'C-011' })).toBeVisible()
    expect(query(path())).toMatchObject({ page: '2' })
    expect(screen.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  })

  describe('on a narrow screen', () => {
    beforeEach(() => {
      const { matchMedia } = globalThis
      jest
        .spyOn(globalThis, 'matchMedia')
        .mockImplementation((media) =>
          Object.assign(Object.create(matchMedia(media)), { matches: media === '(max-width: 720px)' }),
        )
    })
    afterEach(() => jest.restoreAllMocks())

    it('has a card of three lines for a row, and in a menu what the keys do with it [P77]', async () => {
      const [run, other] = [jest.fn(), jest.fn()]
      const { user } = draw([paging(createRows(1))], '/complaint', {
        card: (row) => [row.description, row.severity],
        rowCommands: [
          { label: 'Delete', keys: ['d'], run: other },
          { label: 'Answer', keys: ['a'], run },
        ],
      })
      const card = (await screen.findByRole('link', { name: 'C-001' })).closest('td')
      expect([...(card?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['C-001', 'Hip', 'Medium'])
      expect(card?.closest('tr')?.cells).toHaveLength(2)
      await user.click(screen.getByRole('button', { name: 'More for C-001' }))
      await user.click(screen.getByRole('menuitem', { name: 'Answer' }))
      expect(run).toHaveBeenCalledWith(expect.objectContaining({ complaintNumber: 'C-001' }))
      expect(other).not.toHaveBeenCalled()
    })

    it('cuts a line of a card where its words end, whatever marks a date before them has [P77]', async () => {
      const date = '\u2068٢٠\u200f/١١\u200f/٢٠٢٦\u2069'
      draw([paging(createRows(1))], '/complaint', { card: () => [`${date} · T1 sag`, `${date} · رئة`, date] })
      const card = (await screen.findByRole('link', { name: 'C-001' })).closest('td')
      expect([...(card?.querySelectorAll('td > bdi') ?? [])].map((line) => line.getAttribute('dir'))).toEqual([
        'ltr',
        'rtl',
        null,
      ])
    })

    it('has no menu on a card with which nothing can be done [P77]', async () => {
      draw([paging(createRows(1))], '/complaint', { card: (row) => [row.description] })
      const card = (await screen.findByRole('link', { name: 'C-001' })).closest('td')
      expect(card?.closest('tr')?.cells).toHaveLength(1)
    })
  })

  it('shows its own error with a retry [8.03]', async () => {
    let isDown = true
    const { user } = draw([
      answer(complaint.list, () =>
        isDown ? new CallError(500, 'BROKEN', 'The list is broken.') : { rows: createRows(1), total: 1 },
      ),
    ])
    expect(await screen.findByRole('alert')).toHaveTextContent('The list is broken.')
    expect(screen.queryByText('No record found.')).not.toBeInTheDocument()
    // Below the rows: what comes above them would move them under the pointer.
    expect(table().compareDocumentPosition(screen.getByRole('alert'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'C-001' })).toBeVisible()
  })
})
