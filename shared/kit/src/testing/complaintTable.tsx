import * as complaint from '@dmp/contract/complaint'
import type { ComplaintRow } from '@dmp/contract/complaint'
import { aComplaintRow, anId } from '@dmp/contract/examples'
import { Link, Route, Routes } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { DataTable, type Column, type DataTableProps } from '../table/index.ts'

type List = typeof complaint.list
export const columns: Column<ComplaintRow>[] = [
  { title: 'Complaint #', field: 'complaintNumber' },
  { title: 'Status', field: 'currentStatus', type: 'status', sort: 'status' },
  { title: 'Severity', field: 'severity', type: 'box' },
  { title: 'Description', field: 'description', sort: false },
  { title: 'Created Date', field: 'createdDate', type: 'date' },
  { title: 'By', field: 'createdByUser', hidden: true },
]
export const createRows = (count: number): ComplaintRow[] =>
  Array.from({ length: count }, (_, index) =>
    aComplaintRow({
      id: anId(1000 + index),
      complaintNumber: `C-${String(index + 1).padStart(3, '0')}`,
      description: index % 2 ? 'Knee' : 'Hip',
      currentStatus: index % 2 ? 'New' : 'Resolved',
    }),
  )

/** A server that pages, as ours does. */
export const paging = (rows: readonly ComplaintRow[]): Line =>
  answer(complaint.list, ({ page, pageSize, search = '', direction }) => {
    const matches = rows.filter((row) => row.description.toLowerCase().includes(search.toLowerCase()))
    const ordered = direction === 'desc' ? matches.toReversed() : matches
    const size = Number(pageSize ?? (ordered.length || 1))
    return { rows: ordered.slice((Number(page ?? 1) - 1) * size, Number(page ?? 1) * size), total: matches.length }
  })
/** A server that returns the whole list without a total. */
export const whole = (rows: readonly ComplaintRow[]): Line => answer(complaint.list, { rows })

export const draw = (lines: readonly Line[], at = '/complaint', props: Partial<DataTableProps<List>> = {}) =>
  renderScreen(
    <Routes>
      <Route
        path="/complaint"
        element={
          <Screen title="List">
            <DataTable
              endpoint={complaint.list}
              columns={columns}
              label="Complaints"
              rowKey={(row) => row.id}
              rowLink={(row) => `/complaint/detail/${row.id}`}
              {...props}
            />
          </Screen>
        }
      />
      <Route
        path="/complaint/detail/:id"
        element={
          <Screen title="Detail">
            <Link to="/complaint">List</Link>
          </Screen>
        }
      />
    </Routes>,
    { at, answers: lines },
  )
export const table = () => screen.getByRole('table', { name: 'Complaints' })
export const firstCells = () =>
  within(table())
    .queryAllByRole('link')
    .map((link) => link.textContent)
export const textOfBlob = (blob: Blob | undefined): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob ?? new Blob([]))
  })
export const query = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))
