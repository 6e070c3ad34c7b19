import * as complaint from '@dmp/contract/complaint'
import { anId } from '@dmp/contract/examples'
import { signInAs } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { draw, paging, query, createRows, table } from '../testing/complaintTable.tsx'

describe('a list that people come back to', () => {
  it('opens a row by a click anywhere in it, and by its link [2.48]', async () => {
    const { user, path } = draw([paging(createRows(2))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
    await user.click(within(table()).getByText('Knee'))
    await waitFor(() => expect(path()).toBe(`/complaint/detail/${anId(1001)}`))
  })

  it('finds page, scroll and the focused row again on Back [2.58, 2.60]', async () => {
    const scrolls = jest.spyOn(window, 'scrollTo').mockImplementation(() => {})
    const { user, goTo, path } = draw([paging(createRows(23))], '/complaint?page=2')
    window.scrollY = 140
    await user.click(await screen.findByRole('link', { name: 'C-015' }))
    await waitFor(() => expect(path()).toBe(`/complaint/detail/${anId(1014)}`))
    await goTo(-1)
    await waitFor(() => expect(screen.getByRole('link', { name: 'C-015' })).toHaveFocus())
    expect(scrolls).toHaveBeenLastCalledWith(0, 140)
    window.scrollY = 0
    scrolls.mockRestore()
  })

  it('finds the focused row again by the path above its page, and on another page of the list no row [P77]', async () => {
    const { user, path, goTo } = draw([paging(createRows(23))])
    await user.click(await screen.findByRole('link', { name: 'C-003' }))
    await waitFor(() => expect(path()).toMatch(/detail/))
    await user.click(screen.getByRole('link', { name: 'List' }))
    await waitFor(() => expect(screen.getByRole('link', { name: 'C-003' })).toHaveFocus())
    await goTo(`/complaint/detail/${anId(1002)}`)
    await goTo('/complaint?page=2')
    await screen.findByRole('link', { name: 'C-015' })
    expect(screen.getByRole('heading', { name: 'List' })).toHaveFocus()
  })

  it('does not lead the next person to the row of the one before [P23]', async () => {
    const scrolls = jest.spyOn(window, 'scrollTo').mockImplementation(() => {})
    const { user, goTo, path } = draw([paging(createRows(3))])
    await user.click(await screen.findByRole('link', { name: 'C-002' }))
    await waitFor(() => expect(path()).toBe(`/complaint/detail/${anId(1001)}`))
    scrolls.mockClear()
    act(() => signInAs('admin'))
    await goTo(-1)
    await screen.findByRole('link', { name: 'C-002' })
    expect(screen.getByRole('link', { name: 'C-002' })).not.toHaveFocus()
    expect(scrolls).not.toHaveBeenCalled()
    scrolls.mockRestore()
  })

  it('remembers its state when a row is opened, in the data-table history [2.60, 9.11]', async () => {
    const { user, path } = draw([paging(createRows(23))], '/complaint?page=2&searchTerm=hip')
    await user.click((await screen.findAllByRole('link', { name: /^C-/ }))[0] as HTMLElement)
    await waitFor(() => expect(path()).toMatch(/detail/))
    expect(JSON.parse(localStorage.getItem('dataTableHistory') ?? '')).toEqual({
      currentModule: 'complaint',
      List: '?page=2&searchTerm=hip&pageSize=10&sortColumn=&sortDirection=',
      Detail: expect.stringMatching(/^\/complaint\/detail\//),
      SelectedOrganization: '',
    })
    await user.click(screen.getByRole('link', { name: 'List' }))
    await waitFor(() => expect(query(path())).toMatchObject({ page: '2', searchTerm: 'hip' }))
    expect(await screen.findByRole('searchbox', { name: 'Search' })).toHaveValue('hip')
  })

  it('starts afresh at an address that was typed, whatever was remembered [2.63, 9.11]', async () => {
    localStorage.setItem(
      'dataTableHistory',
      JSON.stringify({
        currentModule: 'complaint',
        List: '?page=2&searchTerm=hip',
        Detail: '',
        SelectedOrganization: '',
      }),
    )
    const { calls, path } = draw([paging(createRows(23))])
    await screen.findByRole('link', { name: 'C-001' })
    expect(calls(complaint.list)).toEqual([{ page: '1', pageSize: '10' }])
    expect(path()).toBe('/complaint')
  })
})
