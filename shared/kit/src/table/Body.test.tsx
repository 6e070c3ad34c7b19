import * as complaint from '@dmp/contract/complaint'
import { anId } from '@dmp/contract/examples'
import { contentMark } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
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

  it('does not open a row in which somebody marks a text to copy it', async () => {
    const marked = jest.spyOn(globalThis, 'getSelection').mockReturnValue({ type: 'Range' } as Selection)
    const { path } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    fireEvent.click(within(table()).getByText('Knee'))
    expect(path()).toBe('/complaint')
    marked.mockRestore()
    fireEvent.click(within(table()).getByText('Knee'))
    await waitFor(() => expect(path()).toBe(`/complaint/detail/${anId(1001)}`))
  })

  it('has no button to copy what is not there', async () => {
    const [first, second] = createRows(2)
    draw([paging([first!, { ...second!, severity: '' as never }])], '/complaint', {
      columns: [
        { title: 'Complaint #', field: 'complaintNumber' },
        { title: 'Severity', field: 'severity', copies: true },
      ],
    })
    await screen.findByRole('link', { name: 'C-001' })
    expect(
      screen.getAllByRole('button', { name: /^Copy / }).map((button) => button.ariaLabel ?? button.title),
    ).toHaveLength(1)
  })

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

  it('mark the page when the first of them stand, and not while grey ones wait [P85]', async () => {
    const marks: string[] = []
    const before = performance.mark
    performance.mark = (name: string) => {
      marks.push(name)
      return {} as PerformanceMark
    }
    const { unmount } = draw([answer(complaint.list, 'pending')])
    expect(await screen.findByRole('table')).toBeInTheDocument()
    expect(marks).toEqual([])
    unmount()
    draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(marks).toContain(contentMark)
    performance.mark = before
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
