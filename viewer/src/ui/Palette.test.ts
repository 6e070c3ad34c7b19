import { getAllByRole, getByRole, waitFor } from '@testing-library/dom'
import { inATabOfItsOwn, page, pressed, prior } from '../testing/page.ts'

inATabOfItsOwn()

describe('the list of all commands', () => {
  const opened = async (options: Parameters<typeof page>[1] = {}) => {
    const all = await page({ a: 3, b: 1 }, options)
    await all.says('2 / 3')
    const press = (key: string, more: KeyboardEventInit = {}) =>
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
      )
    const open = () => press('k', { ctrlKey: true })
    open()
    const dialog = getByRole<HTMLDialogElement>(all.place, 'dialog', { name: 'All commands' })
    const field = getByRole<HTMLInputElement>(dialog, 'combobox')
    const write = (text: string) => {
      field.value = text
      field.dispatchEvent(new Event('input'))
    }
    const options_ = () =>
      [...dialog.querySelectorAll('[role="option"]')].map((option) => option.querySelector('bdi')!.textContent)
    return { ...all, dialog, field, write, press, open, listed: options_ }
  }

  it('opens by Ctrl+K with everything in its groups: tools, windows, layouts, series, other studies [P34]', async () => {
    const { dialog, listed, field } = await opened({ priors: [prior('9')] })
    expect(document.activeElement).toBe(field)
    expect(getAllByRole(dialog, 'group').map((group) => group.firstChild!.textContent)).toEqual([
      'Tools',
      'Picture',
      'Window',
      'Slices',
      'Layout',
      'Series',
      'Page',
    ])
    for (const name of ['Length', 'Lung (CT)', '2×2', 'a', 'b', 'Keyboard and mouse', 'Play faster'])
      expect(listed()).toContain(name)
    // Nothing is measured yet.
    expect(listed()).not.toContain('Delete measurement')
  })

  it('finds by words, the best first, and runs what is chosen by keys', async () => {
    const { place, dialog, write, press, listed, field } = await opened()
    write('zoom')
    expect(listed()).toEqual(['Zoom', 'Zoom in', 'Zoom out'])
    const active = () => dialog.querySelector(`#${field.getAttribute('aria-activedescendant')}`)!.textContent
    expect(active()).toMatch(/^Zoom/)
    press('ArrowDown')
    press('ArrowUp')
    press('ArrowUp')
    expect(active()).toMatch(/^Zoom out/)
    write('len')
    press('Enter')
    expect(dialog.open).toBe(false)
    await waitFor(() => expect(pressed(place, 'Length')).toBe('true'))
  })

  it.each([
    ['Enter that ends a word of another script', 'Enter', { isComposing: true }, true],
    ['Ctrl with another letter', 'a', { ctrlKey: true }, true],
    ['K alone', 'k', {}, true],
    ['K with the key of a Mac', 'k', { metaKey: true }, false],
    ['K with Ctrl and capitals', 'K', { ctrlKey: true }, false],
  ])('is left open, or not, by %s, and nothing is run [P29, P34]', async (_what, key, how, isOpen) => {
    const { place, dialog, write, press } = await opened()
    write('len')
    press(key, how)
    expect([dialog.open, pressed(place, 'Length')]).toEqual([isOpen, 'false'])
  })

  it('runs what is chosen by Enter in field and list, and not on the button that closes it [P29]', async () => {
    const { place, dialog, write, press, open } = await opened()
    write('len')
    getByRole<HTMLElement>(dialog, 'button', { name: 'Close' }).focus()
    press('Enter')
    expect(pressed(place, 'Length')).toBe('false')
    getByRole<HTMLElement>(dialog, 'listbox').focus()
    press('Enter')
    expect(dialog.open).toBe(false)
    await waitFor(() => expect(pressed(place, 'Length')).toBe('true'))
    open()
    getByRole(dialog, 'option', { name: /^Angle/ }).click()
    await waitFor(() => expect(pressed(place, 'Angle')).toBe('true'))
  })

  it('closes where one clicks beside it, and stays where one clicks in it [P29]', async () => {
    const { dialog, field, write } = await opened()
    write('len')
    field.click()
    expect(dialog.open).toBe(true)
    dialog.click()
    expect(dialog.open).toBe(false)
    // What was written is there until it is opened again.
    dialog.dispatchEvent(new Event('toggle'))
    expect(field.value).toBe('len')
  })

  it('names the keys that work: without those of letters, where they are off, its own is left [P34]', async () => {
    const caps = (dialog: HTMLElement, name: RegExp) =>
      [...getByRole(dialog, 'option', { name }).querySelectorAll('kbd')].map(({ textContent }) => textContent)
    const { dialog, place } = await opened()
    expect([caps(dialog, /^Length/), caps(dialog, /^All commands/)]).toEqual([['L'], ['Ctrl+K']])
    localStorage.setItem('preference:keys', 'off')
    dialog.close()
    getByRole(place, 'button', { name: 'All commands' }).click()
    expect([caps(dialog, /^Length/), caps(dialog, /^All commands/)]).toEqual([[], ['Ctrl+K']])
    localStorage.setItem('preference:keys', 'on')
  })

  it('opens a series, compares with another study, and says where nothing is found', async () => {
    const { dialog, write, press, says, open, listed, place } = await opened({ priors: [prior('9')] })
    write('b')
    press('Enter')
    await says('1 / 1')
    await waitFor(() => expect(place.querySelectorAll('.priors .series-button')).toHaveLength(1))
    open()
    write('prior')
    expect(listed()).toEqual(['2025-01-01 · CT · Thorax'])
    write('nothing of this name')
    expect(getByRole(dialog, 'status')).toHaveTextContent('Nothing found for “nothing of this name”.')
    press('Enter')
    expect(dialog.open).toBe(true)
    press('k', { ctrlKey: true })
    expect(dialog.open).toBe(false)
  })

  it('is opened by a button, marks what is on, and opens without a keyboard under a finger', async () => {
    const { press: pressKey, dialog, place } = await opened()
    pressKey('k', { ctrlKey: true })
    const coarse = jest.spyOn(window, 'matchMedia').mockImplementation(() => ({ matches: true }) as MediaQueryList)
    getByRole(place, 'button', { name: 'All commands' }).click()
    coarse.mockRestore()
    expect(document.activeElement).toHaveAttribute('role', 'listbox')
    expect(dialog.querySelector('.palette-on')!.closest('button')).toHaveTextContent('Window / level')
  })
})
