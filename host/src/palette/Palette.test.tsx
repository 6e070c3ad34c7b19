import * as complaint from '@dmp/contract/complaint'
import { CallError, type Search } from '@dmp/kit'
import { addData, answer, type Line } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { aSearch, placeSearches } from '../testing/placeSearches.ts'
import { active, complaints, drawPage, field, group, options, rowsOf, searchComplaints } from './paletteInTests.tsx'

const draw = (answers: readonly Line[] = []) => drawPage('Name xy xyz, Joan, Mended. The server is busy.', answers)

afterEach(() => jest.restoreAllMocks())

describe('the palette', () => {
  it('opens by Ctrl+K or its button, and Escape gives the focus back [P33]', async () => {
    placeSearches()
    const { user } = draw()
    const before = screen.getByRole('button', { name: 'Before' })
    before.focus()
    await user.keyboard('{Control>}k{/Control}')
    expect(await field()).toHaveFocus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(before).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Search everything' }))
    expect(await field()).toHaveFocus()
    await user.keyboard('{Control>}k{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is a combobox whose list is walked by the arrows, and says how much there is [P29]', async () => {
    placeSearches(complaints())
    const { user } = draw([answer(complaint.list, rowsOf('C-1', 'C-2'))])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-')
    await waitFor(() => expect(options()).toEqual(['C-1', 'C-2']))
    expect(await field()).toHaveAttribute('aria-expanded', 'true')
    expect(group('Complaints').getAllByRole('option')).toHaveLength(2)
    await waitFor(() => expect(screen.getByText('2 results')).toHaveAttribute('role', 'status'))
    expect(await active()).toBe('C-1')
    await user.keyboard('{ArrowDown}')
    expect(await active()).toBe('C-2')
    await user.keyboard('{ArrowDown}')
    expect(await active()).toBe('C-1')
    await user.keyboard('{ArrowUp}')
    expect(screen.getByRole('option', { name: 'C-2' })).toHaveAttribute('aria-selected', 'true')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('waits until the typing pauses, asks once, and takes the question back with the next letter', async () => {
    const ended: string[] = []
    const searchEndlessly: Search = (request) =>
      searchComplaints(request).catch(() => {
        ended.push(request.term)
        return []
      })
    placeSearches({ searches: [aSearch('searchEndlessly', 'Complaints')], module: { searchEndlessly } })
    const { user, calls } = draw([answer(complaint.list, 'pending')])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'C-1')
    await waitFor(() => expect(calls(complaint.list)).toEqual([{ search: 'C-1' }]))
    expect(ended).toEqual([])
    await user.type(await field(), '2')
    await waitFor(() => expect(ended).toEqual(['C-1']))
    await waitFor(() => expect(calls(complaint.list)).toHaveLength(2))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(ended).toEqual(['C-1', 'C-12']))
  })

  it('never shows or opens the answer to an earlier text', async () => {
    let answerLate: (found: Awaited<ReturnType<Search>>) => void = () => undefined
    const late = new Promise<Awaited<ReturnType<Search>>>((resolve) => (answerLate = resolve))
    const searchSlowly: Search = ({ term }) =>
      term === 'an' ? late : Promise.resolve([{ to: '/new', text: `New ${term}` }])
    const asked = jest.fn(searchSlowly)
    placeSearches({ searches: [aSearch('searchSlowly', 'Things')], module: { searchSlowly: asked } })
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'an')
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
    await user.type(await field(), 'n')
    await waitFor(() => expect(options()).toEqual(['New ann']))
    answerLate([{ to: '/old', text: 'Old' }])
    await late
    expect(options()).toEqual(['New ann'])
  })

  it('opens by Enter the first row of the answer that comes, never one that stood there before', async () => {
    const searchNames: Search = async ({ term }) => [{ to: `/complaint/detail/${term}`, text: `Name ${term}` }]
    placeSearches({ searches: [aSearch('searchNames', 'Names')], module: { searchNames } })
    const { user, path } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'xy')
    await waitFor(() => expect(options()).toEqual(['Name xy']))
    await user.type(await field(), 'z{Enter}')
    await waitFor(() => expect(path()).toBe('/complaint/detail/xyz'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('tells a search that fails in its group, and goes on with the others [P33]', async () => {
    let isBroken = true
    const searchBroken: Search = async () => {
      if (isBroken) throw new CallError(503, 'BUSY', 'The server is busy.')
      return [{ to: '/mended', text: 'Mended' }]
    }
    placeSearches(
      { searches: [aSearch('searchBroken', 'Reports')], module: { searchBroken } },
      { searches: [aSearch('searchAway', 'Letters', { order: 2 })], module: 'http' },
      complaints(),
    )
    const { user, path } = draw([answer(complaint.list, rowsOf('C-1'))])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-1')
    expect(await screen.findByRole('option', { name: 'C-1' })).toBeVisible()
    const again = await group('Reports').findByRole('option')
    expect(again).toHaveTextContent('Reports could not be searched. Try againThe server is busy.')
    await waitFor(() => expect(group('Letters').getByRole('option')).toHaveTextContent('could not be searched'))
    await waitFor(() =>
      expect(screen.getByText('1 result. Reports, Letters could not be searched.')).toHaveAttribute('role', 'status'),
    )
    // Enter means what was found.
    isBroken = false
    await user.click(again)
    expect(await screen.findByRole('option', { name: 'Mended' })).toBeVisible()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/mended'))
  })

  it('loads the code of a search again when it is tried again [P33]', async () => {
    let isThere = false
    const searchLetters: Search = async () => [{ to: '/letters', text: 'Joan' }]
    placeSearches({
      searches: [aSearch('searchLetters', 'Letters')],
      module: { searchLetters },
      isThere: () => isThere,
    })
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'joan')
    await waitFor(() => expect(group('Letters').getByRole('option')).toHaveTextContent('could not be searched'))
    isThere = true
    await user.click(group('Letters').getByRole('option'))
    expect(await screen.findByRole('option', { name: 'Joan' })).toBeVisible()
  })

  it('shows nothing where the server refuses, and stays on the page [8.01]', async () => {
    placeSearches(complaints())
    const { user, path } = draw([answer(complaint.list, new CallError(403, 'FORBIDDEN', 'No.'))])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-1')
    expect(await screen.findByText('Nothing found for “c-1”.')).toBeVisible()
    expect([options(), path()]).toEqual([[], '/dashboard'])
  })

  it('says where a search looks that does not look everywhere, also where it finds nothing', async () => {
    addData('North-Clinic')
    const searchNorth: Search = async ({ term, sayPlace }) => {
      sayPlace?.('North-Clinic')
      return term === 'joan' ? [{ to: '/found', text: 'Joan' }] : []
    }
    placeSearches({ searches: [aSearch('searchNorth', 'Patients')], module: { searchNorth } })
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'joan')
    expect((await screen.findByRole('group', { name: 'Patients in North-Clinic' })).textContent).toContain('Joan')
    await user.type(await field(), 'na')
    expect(
      await screen.findByText('Nothing found for “joanna”. Patients: only North-Clinic was searched.'),
    ).toBeVisible()
  })

  it('asks the server once for what two searches ask alike', async () => {
    placeSearches({
      searches: [aSearch('searchComplaints', 'One'), aSearch('searchAgain', 'Two')],
      module: { searchComplaints, searchAgain: searchComplaints },
    })
    const { user, calls } = draw([answer(complaint.list, rowsOf('C-1'))])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-1')
    await waitFor(() => expect(options()).toEqual(['C-1', 'C-1']))
    expect(calls(complaint.list)).toHaveLength(1)
  })

  it('shows the best five of what a search returns, and only addresses of this page', async () => {
    const searchMany: Search = async () => [
      { to: 'https://evil.example', text: 'Ann away' },
      { to: '//evil.example', text: 'Ann away' },
      { to: '/x', text: { html: '<b>' } as never },
      ...Array.from({ length: 6 }, (_, at) => ({ to: `/joan/${at}`, text: `Joan ${at}` })),
      { to: '/ann', text: 'Ann' },
    ]
    placeSearches({ searches: [aSearch('searchMany', 'People')], module: { searchMany } })
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'ann')
    await waitFor(() => expect(options()).toEqual(['Ann', 'Joan 0', 'Joan 1', 'Joan 2', 'Joan 3']))
    expect(screen.getByText('best matches')).toBeVisible()
  })

  it('says of five that they are all', async () => {
    const searchFive: Search = async () =>
      Array.from({ length: 5 }, (_, at) => ({ to: `/joan/${at}`, text: `Joan ${at}` }))
    placeSearches({ searches: [aSearch('searchFive', 'People')], module: { searchFive } })
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'joan')
    await waitFor(() => expect(options()).toHaveLength(5))
    expect(screen.queryByText('best matches')).toBeNull()
  })
})
