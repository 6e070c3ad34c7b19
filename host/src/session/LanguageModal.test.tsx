import { hasUnsaved, useUnsaved } from '@dmp/kit'
import { renderScreen } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { LanguageModal } from './LanguageModal.tsx'

function Typed({ isKept }: { isKept: boolean }) {
  useUnsaved(true, isKept)
  return <LanguageModal />
}
const choose = (newValue: string): void =>
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'preference:language', newValue }))
  })

/** jsdom loads no page, and says so. */
let loads: jest.SpyInstance
beforeEach(() => {
  loads = jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => jest.restoreAllMocks())

describe('a language that is chosen in another tab', () => {
  it('loads this page anew where a draft restores what was typed [P27]', () => {
    renderScreen(<Typed isKept />, { at: '/' })
    choose('de')
    expect(loads).toHaveBeenCalledTimes(1)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(hasUnsaved()).toBe(false)
  })

  it('asks first where something would be lost, and takes Later for an answer [P27]', async () => {
    const { user } = renderScreen(<Typed isKept={false} />, { at: '/' })
    choose('ar')
    expect(await screen.findByRole('dialog', { name: 'Show this page in the other language?' })).toHaveTextContent(
      'You chose العربية in another tab.',
    )
    await user.click(screen.getByRole('button', { name: 'Later' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(loads).not.toHaveBeenCalled()
    expect(hasUnsaved()).toBe(true)
    choose('ar')
    await user.click(await screen.findByRole('button', { name: 'Load the page anew' }))
    expect(loads).toHaveBeenCalledTimes(1)
    expect(hasUnsaved()).toBe(false)
  })
})
