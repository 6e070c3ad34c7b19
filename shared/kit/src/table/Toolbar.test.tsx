import * as complaint from '@dmp/contract/complaint'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { draw, firstCells, paging, createRows, query, table, textOfBlob } from '../testing/complaintTable.tsx'

describe('the toolbar of a table', () => {
  it('shows chosen columns and density and remembers both on this machine', async () => {
    const { user, unmount } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    await user.click(screen.getByText('Columns'))
    await user.click(screen.getByRole('checkbox', { name: 'By' }))
    await user.click(screen.getByRole('checkbox', { name: 'Severity' }))
    await user.click(screen.getByRole('radio', { name: 'Compact' }))
    const titles = ['Complaint #', 'Status', 'Description', 'Created Date', 'By']
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(titles)
    unmount()
    draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(titles)
    expect(table().closest('.dmp-table')).toHaveAttribute('data-density', 'compact')
  })

  it('has its columns in the order that a person chose, sorts as before, and goes back [P73]', async () => {
    const { user, unmount, calls } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    const titles = () =>
      within(table())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent)
    const first = titles()
    await user.click(screen.getByText('Columns'))
    await user.click(screen.getByRole('button', { name: 'Move Status up' }))
    await user.click(screen.getByRole('button', { name: 'Move Status up' }))
    await user.click(screen.getByRole('button', { name: 'Move Created Date down' }))
    const moved = ['Status', 'Complaint #', ...first.slice(2)]
    expect(titles()).toEqual(moved)
    expect(screen.getByRole('button', { name: 'Move Status up' })).toHaveAttribute('aria-disabled', 'true')
    await user.click(within(table()).getByRole('button', { name: 'Status' }))
    await waitFor(() => expect(calls(complaint.list).at(-1)).toMatchObject({ sort: 'status' }))
    unmount()
    const again = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(titles()).toEqual(moved)
    await again.user.click(screen.getByText('Columns'))
    await again.user.click(screen.getByRole('button', { name: 'Reset columns' }))
    expect(titles()).toEqual(first)
  })

  it('does at once what it does with the words that stand in the search, however lately they were typed [P77]', async () => {
    const { user, path } = draw([paging(createRows(4))], '/complaint', { searchDelay: 60_000 })
    await screen.findByRole('link', { name: 'C-001' })
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'knee')
    expect(path()).toBe('/complaint')
    await user.click(screen.getByText('Columns'))
    await waitFor(() => expect(query(path())).toMatchObject({ searchTerm: 'knee' }))
  })

  it('closes the column chooser on a click elsewhere and on Escape, and keeps one column [P29]', async () => {
    const { user } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    const words = screen.getByText('Columns')
    const box = words.closest('details')!
    await user.click(words)
    await user.click(screen.getByRole('checkbox', { name: 'By' }))
    await user.keyboard('x')
    expect(box.open).toBe(true)
    await user.click(document.body)
    expect(box.open).toBe(false)
    await user.click(words)
    await user.keyboard('{Escape}')
    expect(box.open).toBe(false)
    await user.click(words)
    const boxes = within(box).getAllByRole('checkbox')
    for (const each of boxes.slice(2)) await user.click(each)
    for (const each of boxes.slice(0, 2)) expect(each).toBeEnabled()
    await user.click(boxes[1]!)
    expect(boxes[0]).toBeDisabled()
  })

  it('exports once at a time, and again afterwards [P15]', async () => {
    let finish = () => {}
    const { user, calls } = draw([
      answer(complaint.list, ({ page }) =>
        page
          ? { rows: createRows(1), total: 1 }
          : new Promise((resolve) => (finish = () => resolve(new CallError(500, 'BROKEN', 'No.')))),
      ),
    ])
    await screen.findByRole('link', { name: 'C-001' })
    const exported = () => calls(complaint.list).filter(({ page }) => !page).length
    await user.dblClick(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(exported()).toBe(1))
    finish()
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Export CSV' })).not.toHaveClass('dmp-button--loading'),
    )
    expect(exported()).toBe(1)
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(exported()).toBe(2))
  })

  it('keeps the search out of URL and storage where that is set [P23]', async () => {
    const { user, path } = draw([paging(createRows(23))], '/complaint', { searchInUrl: false })
    await screen.findByRole('link', { name: 'C-001' })
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'knee')
    await waitFor(() => expect(firstCells()[0]).toBe('C-002'))
    expect(path()).not.toContain('knee')
    await user.click(screen.getByRole('link', { name: 'C-002' }))
    await waitFor(() => expect(path()).toMatch(/detail/))
    expect(JSON.stringify({ ...localStorage })).not.toContain('knee')
  })

  it('exports the whole result of the search, not only the page [P15]', async () => {
    const saved: Blob[] = []
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob)
      return 'blob:x'
    }
    URL.revokeObjectURL = () => {}
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const { user, calls } = draw([paging(createRows(23))], '/complaint?searchTerm=knee&sortColumn=0&sortDirection=desc')
    await waitFor(() => expect(firstCells()).toHaveLength(10))
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('11 rows exported.')).toBeVisible()
    expect(calls(complaint.list).at(-1)).toEqual({ search: 'knee', sort: 'complaintNumber', direction: 'desc' })
    const lines = (await textOfBlob(saved[0])).trim().split('\r\n')
    expect(lines).toHaveLength(12)
    expect(lines[1]).toMatch(/^C-022,New,Medium,Knee,2026-03-02T08:15:00.000Z$/)
    clicked.mockRestore()
  })
})
