import * as complaint from '@dmp/contract/complaint'
import type { ComplaintRow } from '@dmp/contract/complaint'
import { anId } from '@dmp/contract/examples'
import { renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { DataTable } from './index.ts'
import {
  columns,
  draw,
  firstCells,
  paging,
  query,
  createRows,
  table,
  textOfBlob,
  whole,
} from '../testing/complaintTable.tsx'

describe('DataTable with checkboxes', () => {
  function Selecting({ report }: { report: (keys: readonly string[], rows: readonly ComplaintRow[]) => void }) {
    const [selected, setSelected] = useState<readonly string[]>([])
    return (
      <DataTable
        endpoint={complaint.list}
        columns={columns}
        label="Complaints"
        rowKey={(row) => row.id}
        rowLink={(row) => `/complaint/detail/${row.id}`}
        selection={{
          selected,
          onChange: (keys, rows) => {
            setSelected(keys)
            report(keys, rows)
          },
        }}
      />
    )
  }

  it('names rows that are called alike by what else they say, for whoever cannot see the row', async () => {
    const [first, second, third] = createRows(3) as [ComplaintRow, ComplaintRow, ComplaintRow]
    const alike = { complaintNumber: 'C-001', currentStatus: 'New' }
    renderScreen(<Selecting report={jest.fn()} />, {
      at: '/complaint',
      answers: [paging([{ ...first, ...alike }, { ...second, ...alike, severity: 'High' }, third])],
    })
    for (const name of ['Select C-001, New, Medium', 'Select C-001, New, High', 'Select C-003'])
      expect(await screen.findByRole('checkbox', { name })).toBeVisible()
    for (const name of ['C-001, New, Medium', 'C-001, New, High'])
      expect(screen.getByRole('link', { name })).toHaveTextContent(/^C-001$/)
    expect(screen.getByRole('link', { name: 'C-003' })).not.toHaveAttribute('aria-label')
  })

  it('reports the row id of a click, keeps it over pages, and counts as the first column [2.58, 2.63]', async () => {
    const report = jest.fn()
    const { user, path } = renderScreen(<Selecting report={report} />, {
      at: '/complaint',
      answers: [paging(createRows(12))],
    })
    await screen.findByRole('link', { name: 'C-001' })
    await user.click(screen.getByRole('checkbox', { name: 'Select C-001' }))
    expect(report.mock.lastCall?.[0]).toEqual([anId(1000)])
    expect(path()).toBe('/complaint')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Select C-012' }))
    expect(report.mock.lastCall?.[0]).toEqual([anId(1000), anId(1011)])
    expect(report.mock.lastCall?.[1].map((row: ComplaintRow) => row.complaintNumber)).toEqual(['C-001', 'C-012'])
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    expect(report.mock.lastCall?.[0]).toEqual([anId(1000), anId(1011), anId(1010)])
    await user.click(screen.getByRole('checkbox', { name: 'Select C-012' }))
    expect(report.mock.lastCall?.[0]).toEqual([anId(1000), anId(1010)])
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    expect(report.mock.lastCall?.[0]).toEqual([anId(1000)])
    await user.click(screen.getByRole('button', { name: 'Complaint #' }))
    await waitFor(() => expect(query(path())).toMatchObject({ sortColumn: '1', sortDirection: 'asc' }))
  })
})

describe('DataTable with columns that somebody chose', () => {
  it('shows its usual columns when none is left of those that were chosen', async () => {
    localStorage.setItem('preference:columns:Complaints', JSON.stringify(['Renamed since']))
    draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Complaint #', 'Status', 'Severity', 'Description', 'Created Date'])
  })
})

describe('DataTable on a server that answers the whole list', () => {
  it('searches, sorts and pages by itself with the same rules [2.63, 5.19]', async () => {
    const { user, path } = draw([whole(createRows(23))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(screen.getByText('1 to 10 of 23')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    expect(await screen.findByRole('link', { name: 'C-021' })).toBeVisible()
    expect(firstCells()).toHaveLength(3)
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'RESOLVED')
    await waitFor(() => expect(screen.getByText('1 to 10 of 12')).toBeVisible())
    await user.click(screen.getByRole('button', { name: 'Complaint #' }))
    await user.click(screen.getByRole('button', { name: 'Complaint #' }))
    await waitFor(() => expect(firstCells()[0]).toBe('C-023'))
    expect(query(path())).toMatchObject({ page: '1', searchTerm: 'RESOLVED', sortColumn: '0', sortDirection: 'desc' })
  })

  it('exports what is searched for of all its pages, in its order, without another call [P15]', async () => {
    const saved: Blob[] = []
    const { createObjectURL } = URL
    URL.createObjectURL = (blob) => (saved.push(blob as Blob), 'blob:x')
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const { user, calls } = draw(
      [whole(createRows(60))],
      '/complaint?searchTerm=resolved&sortColumn=0&sortDirection=desc',
    )
    await waitFor(() => expect(firstCells()).toHaveLength(10))
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('30 rows exported.')).toBeVisible()
    const [, first, ...others] = (await textOfBlob(saved[0])).trim().split('\r\n')
    expect([first?.slice(0, 5), others.at(-1)?.slice(0, 5)]).toEqual(['C-059', 'C-001'])
    expect(calls(complaint.list)).toHaveLength(1)
    clicked.mockRestore()
    URL.createObjectURL = createObjectURL
  })

  it('drops the rows that are not to be kept before it counts [2.58]', async () => {
    draw([whole(createRows(23))], '/complaint', { keepRow: (row) => row.currentStatus === 'New' })
    await waitFor(() => expect(screen.getByText('1 to 10 of 11')).toBeVisible())
    expect(firstCells()[0]).toBe('C-002')
  })
})
