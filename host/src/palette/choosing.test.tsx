import * as complaint from '@dmp/contract/complaint'
import type { Search } from '@dmp/kit'
import { answer, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { aSearch, placeSearches } from '../testing/placeSearches.ts'
import { active, complaints, drawPage, field, group, options, rowsOf } from './paletteInTests.tsx'

const draw = (answers: readonly Line[] = []) => drawPage('Joan, Joanna, Mended.', answers)

afterEach(() => jest.restoreAllMocks())

describe('a row of the palette', () => {
  it('opens in a new tab what is chosen with Ctrl or the command key, and stays [P33]', async () => {
    placeSearches(complaints())
    const { user, path } = draw([answer(complaint.list, rowsOf('C-1', 'C-2'))])
    const opened = jest.spyOn(window, 'open').mockReturnValue(null)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-')
    await waitFor(() => expect(options()).toEqual(['C-1', 'C-2']))
    await user.keyboard('{ArrowDown}{Control>}{Enter}{/Control}')
    await user.keyboard('{ArrowDown}{Meta>}{Enter}{/Meta}')
    await user.keyboard('{Control>}')
    await user.click(screen.getByRole('option', { name: 'C-2' }))
    await user.keyboard('{/Control}')
    expect(opened.mock.calls.map(([to]) => to)).toEqual(
      ['C-2', 'C-1', 'C-2'].map((name) => `/complaint/detail/${name}`),
    )
    expect([path(), screen.queryAllByRole('dialog').length]).toEqual(['/dashboard', 1])
    // An action has no address.
    await user.clear(await field())
    await user.type(await field(), 'shortcuts')
    await waitFor(() => expect(options()[0]).toContain('Keyboard shortcuts'))
    await user.keyboard('{ArrowDown}{ArrowUp}{Control>}{Enter}{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument()
    expect(opened).toHaveBeenCalledTimes(3)
  })

  it('opens nothing by Enter where nothing is found, and closes by the key of a Mac, too', async () => {
    placeSearches(complaints())
    const { user, path } = draw([answer(complaint.list, rowsOf())])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'nothing like it{ArrowDown}{Enter}')
    expect(await screen.findByText('Nothing found for “nothing like it”.')).toBeVisible()
    expect(await active()).toBeNull()
    expect(path()).toBe('/dashboard')
    await user.keyboard('{Meta>}k{/Meta}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('leaves the arrows and Enter to an input method that composes a word', async () => {
    placeSearches(complaints())
    const { user, path } = draw([answer(complaint.list, rowsOf('C-1', 'C-2'))])
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-')
    await waitFor(() => expect(options()).toEqual(['C-1', 'C-2']))
    for (const key of ['ArrowDown', 'Enter']) fireEvent.keyDown(await field(), { key, isComposing: true })
    expect([await active(), path()]).toEqual(['C-1', '/dashboard'])
  })

  it('tries a search that failed again by Enter on its row', async () => {
    let isBroken = true
    const searchBroken: Search = async () => {
      if (isBroken) throw new TypeError('x is not a function')
      return [{ to: '/mended', text: 'Mended' }]
    }
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    placeSearches({ searches: [aSearch('searchBroken', 'Reports')], module: { searchBroken } })
    const { user, path } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'c-1')
    // An error of its code is told to its team, and no word of it to people.
    const again = await screen.findByRole('option', { name: /It stopped because of an error\./ })
    expect(again).not.toHaveTextContent('function')
    isBroken = false
    await user.keyboard('{ArrowDown}{Enter}')
    expect(await screen.findByRole('option', { name: 'Mended' })).toBeVisible()
    expect(path()).toBe('/dashboard')
  })

  it('says of a search that its part does not have that it could not be made', async () => {
    placeSearches({ searches: [aSearch('searchGone', 'Letters')], module: {} })
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'joan')
    await waitFor(() => expect(group('Letters').getByRole('option')).toHaveTextContent('could not be searched'))
    expect(group('Letters').getByRole('option')).not.toHaveTextContent('It stopped because of an error.')
  })

  it('shows what is there after a moment though a search above it is slow', async () => {
    const searchSlowly: Search = () => new Promise(() => undefined)
    const searchQuickly: Search = async () => ['Joan', 'Joanna'].map((text) => ({ to: `/${text}`, text }))
    placeSearches({
      searches: [aSearch('searchSlowly', 'Reports'), aSearch('searchQuickly', 'Letters', { order: 2 })],
      module: { searchSlowly, searchQuickly },
    })
    const { user, path } = draw()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'joan')
    expect(await screen.findByRole('option', { name: 'Joan' })).toBeVisible()
    // Enter would open the first row, which is not known yet: the person may take this one.
    expect(await active()).toBeNull()
    await user.keyboard('{ArrowUp}')
    expect(await active()).toBe('Joanna')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/Joanna'))
  })
})
