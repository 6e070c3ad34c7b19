import { anId } from '@dmp/contract/examples'
import { fireEvent, screen, within } from '@testing-library/react'
import { draw, firstCells, paging, createRows, table } from '../testing/complaintTable.tsx'

describe('the rows of a table', () => {
  it.each([['ctrlKey'], ['metaKey']])(
    'opens a row in a new tab when it is clicked with %s, as a link would',
    async (key) => {
      const open = jest.spyOn(window, 'open').mockReturnValue(null)
      const { path } = draw([paging(createRows(2))])
      await screen.findByRole('link', { name: 'C-001' })
      fireEvent.click(within(table()).getByText('Knee'), { [key]: true })
      expect(open.mock.calls).toEqual([[`/complaint/detail/${anId(1001)}`, '_blank', 'noopener']])
      expect(path()).toBe('/complaint')
      open.mockRestore()
    },
  )

  it('has the link of a row on the first words that it shows as they are', async () => {
    draw([paging(createRows(1))], '/complaint', {
      columns: [
        { title: 'Status', field: 'currentStatus', type: 'status' },
        { title: 'Number', field: 'complaintNumber', render: (row) => <em>{row.complaintNumber}</em> },
        { title: 'Description', field: 'description' },
      ],
    })
    expect(await screen.findByRole('link', { name: 'Hip' })).toBeVisible()
    expect(firstCells()).toEqual(['Hip'])
  })

  it('walks its rows with the arrow keys [P29]', async () => {
    const { user } = draw([paging(createRows(3))])
    ;(await screen.findByRole('link', { name: 'C-001' })).focus()
    // Above the first there is none: the key is the page's.
    expect(fireEvent.keyDown(screen.getByRole('link', { name: 'C-001' }), { key: 'ArrowUp' })).toBe(true)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(screen.getByRole('link', { name: 'C-003' })).toHaveFocus()
    for (const [key, name] of [
      ['ArrowUp', 'C-002'],
      ['Home', 'C-001'],
      ['End', 'C-003'],
    ] as const) {
      await user.keyboard(`{${key}}`)
      expect(screen.getByRole('link', { name })).toHaveFocus()
    }
  })
})
