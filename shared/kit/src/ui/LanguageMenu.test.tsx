import { LanguageMenu } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'

describe('the choice of a language', () => {
  // jsdom loads no page, and says so.
  beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined))
  afterEach(() => {
    jest.restoreAllMocks()
    localStorage.clear()
  })

  it('has each language in its own name and marked as of it, by the keyboard alone', async () => {
    const { user } = renderScreen(<LanguageMenu />, { at: '/' })
    await user.tab()
    expect(screen.getByRole('button', { name: 'English' })).toHaveFocus()
    await user.keyboard('{Enter}')
    const entries = await screen.findAllByRole('menuitemradio')
    expect(entries.map((entry) => [entry.lang, entry.textContent])).toEqual([
      ['en', 'English'],
      ['de', 'Deutsch'],
      ['fr', 'Français'],
      ['es', 'Español'],
      ['ja', '日本語'],
      ['ar', 'العربية'],
    ])
    expect(entries[0]).toHaveFocus()
    expect(entries[0]).toBeChecked()
    await user.keyboard('{End}{Enter}')
    expect(localStorage.getItem('preference:language')).toBe('ar')
    expect(console.error).toHaveBeenCalledTimes(1)
  })
})
