import * as complaint from '@dmp/contract/complaint'
import type { ComplaintRow } from '@dmp/contract/complaint'
import { refresh } from '@dmp/kit'
import { renderScreen, type Line } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { createRows, firstCells, paging, table, whole } from '../testing/complaintTable.tsx'
import { DataTable, type Column } from './index.ts'

let drawn: string[] = []
/** The rows whose cell was drawn since the last look, as often as it was. */
const takeDrawn = (): string[] => drawn.splice(0).toSorted()

const columns: Column<ComplaintRow>[] = [
  { title: 'Complaint #', field: 'complaintNumber' },
  { title: 'Status', field: 'currentStatus', sort: 'status' },
  {
    title: 'Description',
    field: 'description',
    render: (row) => {
      drawn.push(row.complaintNumber)
      return row.description
    },
  },
]

/** As the list of scans has it: the screen hears of the rows, and hands the table new functions at each drawing. */
function Listing() {
  const [selected, setSelected] = useState<readonly string[]>([])
  const [shown, setShown] = useState<readonly ComplaintRow[]>([])
  return (
    <>
      <p>{shown.length} in sight</p>
      <DataTable
        endpoint={complaint.list}
        columns={columns}
        label="Complaints"
        rowKey={(row) => row.id}
        rowLink={(row) => `/complaint/detail/${row.id}`}
        keepRow={(row) => row.complaintNumber !== ''}
        selection={{ selected, onChange: (keys) => setSelected(keys) }}
        onRows={setShown}
      />
    </>
  )
}

async function drawList(line: Line) {
  const { user } = renderScreen(<Listing />, { at: '/complaint', answers: [line] })
  await screen.findByText('10 in sight')
  return user
}

/** All that the press leads to is done. */
const untilFirst = async (first: string) => {
  await waitFor(() => expect(firstCells()[0]).toBe(first))
  await waitFor(() => expect(table()).toHaveAttribute('aria-busy', 'false'))
}

const number = (at: number): string => `C-${String(at).padStart(3, '0')}`
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => number(from + index))

beforeEach(() => {
  drawn = []
})

describe.each([
  ['pages', paging],
  ['returns the whole list', whole],
])('a list whose server %s draws each row once', (_, serve) => {
  it('when it comes, and when it is sorted', async () => {
    const user = await drawList(serve(createRows(30)))
    expect(takeDrawn()).toEqual(numbers(1, 10))
    const heading = screen.getByRole('button', { name: 'Complaint #' })
    await user.click(heading)
    await untilFirst('C-001')
    takeDrawn()
    await user.click(heading)
    await untilFirst('C-030')
    expect(takeDrawn()).toEqual(numbers(21, 30))
  })

  it('when the page is turned', async () => {
    const user = await drawList(serve(createRows(30)))
    takeDrawn()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await untilFirst('C-011')
    expect(takeDrawn()).toEqual(numbers(11, 20))
  })

  it('when a letter is searched for', async () => {
    const user = await drawList(serve(createRows(30)))
    takeDrawn()
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'k')
    await untilFirst('C-002')
    const found = numbers(1, 20).filter((_number, index) => index % 2 === 1)
    // Of the whole list, those that stood there before are the same.
    const isSame = (row: string): boolean => serve === whole && row <= 'C-010'
    expect(takeDrawn()).toEqual(found.filter((row) => !isSame(row)))
  })
})

describe('a list draws no row that has not changed', () => {
  it('when one is selected, or all are', async () => {
    const user = await drawList(paging(createRows(30)))
    takeDrawn()
    const box = screen.getByRole('checkbox', { name: 'Select C-003' })
    await user.click(box)
    expect(box).toBeChecked()
    expect(takeDrawn()).toEqual(['C-003'])
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    expect(takeDrawn()).toEqual(numbers(1, 10).filter((row) => row !== 'C-003'))
    // The newest selection, though the row was drawn with an older one.
    await user.click(screen.getByRole('checkbox', { name: 'Select C-007' }))
    expect(screen.getAllByRole('checkbox', { name: /^Select C-/, checked: true })).toHaveLength(9)
  })

  it('when the list is loaded again, but for those that have', async () => {
    const rows = createRows(30)
    await drawList(paging(rows))
    takeDrawn()
    rows[4] = { ...(rows[4] as ComplaintRow), description: 'Elbow' }
    act(() => refresh([complaint.list]))
    expect(await screen.findByText('Elbow')).toBeVisible()
    expect(takeDrawn()).toEqual(['C-005'])
  })

  it('when a column goes, all of which is one drawing', async () => {
    const user = await drawList(paging(createRows(30)))
    takeDrawn()
    await user.click(screen.getByText('Columns'))
    expect(takeDrawn()).toEqual([])
    await user.click(screen.getByRole('checkbox', { name: 'Status' }))
    expect(takeDrawn()).toEqual(numbers(1, 10))
  })
})
