import { renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { SimpleTable, type CellValue, type Column } from './index.ts'

interface Row {
  readonly name: string
  readonly value: CellValue
}
const cellOf = (value: CellValue, column: Partial<Column<Row>> = {}) => {
  const { unmount } = renderScreen(
    <SimpleTable
      rows={[{ name: 'a', value }]}
      columns={[{ title: 'Value', field: 'value', ...column }]}
      label="Rows"
      rowKey={(row) => row.name}
    />,
    { at: '/' },
  )
  const cell = screen.getByRole('cell')
  return { cell, unmount, sign: () => cell.querySelector('.dmp-badge-sign') }
}
const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ name: `row ${at}`, value: at }))
const draw = (rows: readonly Row[], more: { emptyText?: string } = {}) =>
  renderScreen(
    <SimpleTable
      rows={rows}
      columns={[
        { title: 'Name', field: 'name', width: 120 },
        { title: 'Value', field: 'value' },
        { title: 'Secret', value: () => 'not shown', hidden: true },
      ]}
      label="Rows"
      rowKey={(row) => row.name}
      {...more}
    />,
    { at: '/' },
  )

describe('a cell', () => {
  it.each([[null], [undefined], ['']])('of %j is a dash [2.63]', (value) => {
    expect(within(cellOf(value).cell).getByLabelText('None')).toHaveTextContent('–')
  })

  it.each([
    [true, {}, 'Yes'],
    [false, {}, 'No'],
    ['true', { type: 'boolean' }, 'Yes'],
    ['false', { type: 'boolean' }, 'No'],
    ['Activated', { type: 'status' }, 'Activated'],
  ] as const)('of %j with %o is the word %s with its sign [2.63, P29]', (value, column, word) => {
    const { cell, sign } = cellOf(value, column)
    expect(cell).toHaveTextContent(word)
    expect(sign()).toBeInTheDocument()
  })

  it.each([
    [['BMD', 'OssView'], {}, 'BMDOssView'],
    ['BMD', { type: 'badges' }, 'BMD'],
  ] as const)('of %j is badges without a sign [2.63, 9.13]', (value, column, words) => {
    const { cell, sign } = cellOf(value, column)
    expect(cell).toHaveTextContent(words)
    expect(cell.querySelector('.dmp-badge')).toBeInTheDocument()
    expect(sign()).toBeNull()
  })
})

describe('a table of rows that are there already', () => {
  it('shows its columns but for hidden ones, as wide as they want to be, and no row as selected', () => {
    draw(rowsOf(2))
    expect(screen.getAllByRole('columnheader').map((heading) => [heading.textContent, heading.style.width])).toEqual([
      ['Name', '120px'],
      ['Value', ''],
    ])
    expect(screen.getByText('row 1').closest('tr')).not.toHaveAttribute('data-selected')
    expect(screen.queryByText('No record found.')).not.toBeInTheDocument()
  })

  it('says that it is empty, in the words of its screen where there are some', () => {
    const { unmount } = draw([])
    expect(screen.getByText('No record found.')).toBeVisible()
    unmount()
    draw([], { emptyText: 'Nobody was here.' })
    expect(screen.getByText('Nobody was here.')).toBeVisible()
  })

  it('can be reached and scrolled by the keyboard from the ninth row on [P29]', () => {
    const { unmount } = draw(rowsOf(8))
    expect(screen.queryByRole('region', { name: /scrollable/ })).not.toBeInTheDocument()
    unmount()
    draw(rowsOf(9))
    expect(screen.getByRole('region', { name: 'Rows, scrollable' })).toHaveAttribute('tabindex', '0')
  })
})
