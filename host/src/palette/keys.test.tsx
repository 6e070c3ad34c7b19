import { useKeys } from '@dmp/kit'
import { addData } from '@dmp/kit/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Shell } from '../shell/Shell.tsx'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { renderPage } from '../testing/renderPage.ts'

const select = jest.fn()

function Page() {
  useKeys([
    { label: 'Select', group: 'Reports', keys: ['x'], run: select },
    { label: 'Open', group: 'Reports', keys: ['Enter'], run: select },
    { label: 'Open', group: 'Reports', keys: ['o'], run: select },
    { label: 'Taken by the one before', group: 'Reports', keys: ['x'], run: select },
  ])
  return (
    <>
      <h1>Page</h1>
      <input aria-label="Notes" />
    </>
  )
}

function draw() {
  placeSnapshot(
    ...readDeclarations()
      .filter(({ name }) => name !== 'host')
      .map((declaration) => createRemote(declaration.name, declaration)),
  )
  const drawn = renderPage(
    <Shell>
      <Page />
    </Shell>,
    { at: '/dashboard', as: 'staff' },
  )
  addData('Select Reports Open Taken by the one before')
  return drawn
}

beforeEach(() => select.mockClear())

describe('the keys of every page', () => {
  it('go to the pages of the policy, and to no other', async () => {
    const { user, path } = draw()
    await user.keyboard('gw')
    expect(path()).toBe('/scan/worklist')
    await user.keyboard('gs')
    expect(path()).toBe('/scan')
    await user.keyboard('gu')
    expect(path()).toBe('/scan')
  })

  it('are letters where one writes [WCAG 2.1.4]', async () => {
    const { user, path } = draw()
    await user.type(screen.getByLabelText('Notes'), 'gs?x')
    expect(screen.getByLabelText('Notes')).toHaveValue('gs?x')
    expect([path(), select.mock.calls.length, screen.queryByRole('dialog')]).toEqual(['/dashboard', 0, null])
  })

  it('stand in one overlay with those of the page, which ? opens and Escape closes [P34]', async () => {
    const { user } = draw()
    await user.keyboard('?')
    const overlay = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(overlay.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Reports',
      'Go to',
      'Everywhere',
    ])
    const line = (label: string) => overlay.getByText(label).parentElement?.textContent
    expect(['Select', 'Worklist', 'Search everything'].map(line)).toEqual([
      'XSelect',
      'GWWorklist',
      'Ctrl+KSearch everything',
    ])
    expect(overlay.queryByText('Organization')).toBeNull()
    expect([line('Open'), overlay.queryByText('Taken by the one before')]).toEqual(['Enter or OOpen', null])
    await user.keyboard('x{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(select).not.toHaveBeenCalled()
  })

  it('take the wish for the palette back by Escape, and leave what is the browser’s to it', async () => {
    draw()
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    const passed = (how: KeyboardEventInit) => fireEvent.keyDown(document.body, { key: 'a', ...how })
    const others = [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }, { key: 'F5' }].map(
      passed,
    )
    const taken = passed({})
    fireEvent.keyDown(document.body, { key: 'Escape' })
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
    expect([others, taken, screen.queryByRole('dialog')]).toEqual([[true, true, true, true, true], false, null])
  })

  it('can be switched off, all but Ctrl+K, for good [WCAG 2.1.4]', async () => {
    const { user, path, unmount } = draw()
    await user.keyboard('?')
    await user.click(await screen.findByRole('checkbox', { name: 'Single-key shortcuts' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('gsx?')
    expect([path(), select.mock.calls.length, screen.queryByRole('dialog')]).toEqual(['/dashboard', 0, null])
    unmount()
    const again = draw()
    await again.user.keyboard('gs')
    expect(again.path()).toBe('/dashboard')
    await again.user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('combobox', { name: 'Search everything' })).toHaveFocus()
  })

  it('are not taken by a list while the palette is on its way: what is typed meanwhile stands in it', async () => {
    const { user } = draw()
    await user.keyboard('{Control>}k{/Control}xay{Backspace}')
    const field = await screen.findByRole('combobox', { name: 'Search everything' })
    expect(field).toHaveValue('xa')
    expect(select).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('combobox', { name: 'Search everything' })).toHaveValue('')
  })
})
