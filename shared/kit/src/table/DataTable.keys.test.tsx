import { anId } from '@dmp/contract/examples'
import { listKeys, writeKeys } from '@dmp/kit'
import { screen, waitFor } from '@testing-library/react'
import { columns, createRows, draw, paging, whole } from '../testing/complaintTable.tsx'

const link = (name: string) => screen.getByRole('link', { name })

describe('the keys of a list', () => {
  it('move over the rows, select and open, and reach the search [P34]', async () => {
    const onChange = jest.fn()
    const { user, path } = draw([paging(createRows(3))], '/complaint', { selection: { selected: [], onChange } })
    await screen.findByRole('link', { name: 'C-001' })
    await user.keyboard('jj')
    expect(link('C-002')).toHaveFocus()
    await user.keyboard('x')
    expect(onChange.mock.calls.map(([keys]) => keys as unknown)).toEqual([[anId(1001)]])
    await user.keyboard('kkk')
    expect(link('C-001')).toHaveFocus()
    await user.keyboard('jjjjj')
    expect(link('C-003')).toHaveFocus()
    await user.keyboard('/')
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveFocus()
    await user.keyboard('j/x')
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('j/x')
    await user.clear(screen.getByRole('searchbox', { name: 'Search' }))
    await waitFor(() => expect(link('C-001')).toBeVisible())
    await user.tab()
    await user.keyboard('j{Enter}')
    await waitFor(() => expect(path()).toBe(`/complaint/detail/${anId(1000)}`))
  })

  it('do what the list adds, with the row of the focus and with no other [P34]', async () => {
    const run = jest.fn()
    const rowCommands = [{ label: 'Answer', keys: ['r'], run }]
    const { user } = draw([paging(createRows(3))], '/complaint', { rowCommands })
    await screen.findByRole('link', { name: 'C-001' })
    await user.keyboard('r')
    expect(run).not.toHaveBeenCalled()
    await user.keyboard('jjr')
    expect(run.mock.calls).toEqual([[expect.objectContaining({ id: anId(1001) })]])
    expect(listKeys().map(({ label }) => label)).toContain('Answer')
  })

  it('copy the id of a row, as its button does [P73]', async () => {
    const copying = columns.map((column) => (column.field === 'complaintNumber' ? { ...column, copies: true } : column))
    const { user, path } = draw([paging(createRows(3))], '/complaint', { columns: copying })
    await screen.findByRole('link', { name: 'C-001' })
    await user.keyboard('jjc')
    expect(await screen.findByText('Complaint # copied to clipboard.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('C-002')
    await user.click(screen.getByRole('button', { name: 'Copy Complaint # of C-003' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('C-003'))
    expect(path()).toBe('/complaint')
  })

  it('are only those that it has, and stand under its name', async () => {
    draw([whole(createRows(2))], '/complaint', { searchable: false })
    await screen.findByRole('link', { name: 'C-001' })
    expect(listKeys().map(({ group, keys }) => `${group} ${keys.join()}`)).toEqual([
      'Complaints j',
      'Complaints k',
      'Complaints Enter',
    ])
  })

  it('are asleep when single keys are off [WCAG 2.1.4]', async () => {
    writeKeys(false)
    const { user } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    await user.keyboard('j/')
    expect(document.activeElement).toBe(document.body)
    writeKeys(true)
  })
})
