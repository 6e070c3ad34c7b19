import { Progress } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import theme from 'antd/es/theme'
import type * as react from 'react'
import type * as server from 'react-dom/server'
import { colours } from './colours.ts'
import { createTheme } from './theme.ts'
import type * as themes from './themeChoice.ts'
import { ThemeToggle } from './ThemeToggle.tsx'

describe('progress', () => {
  it.each([
    [-3, '0'],
    [41.6, '42'],
    [120, '100'],
  ])('of %d %% is said as %s', (percent, shown) => {
    renderScreen(<Progress percent={percent} aria-label="Upload" />, { at: '/' })
    expect(screen.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', shown)
  })
})

describe('the theme', () => {
  it('follows the machine until the person chooses, and remembers the choice', async () => {
    const { user, unmount } = renderScreen(<ThemeToggle />, { at: '/' })
    expect(document.documentElement).toHaveAttribute('data-theme', 'light')
    await user.click(screen.getByRole('button', { name: 'Theme: System' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark')
    expect(localStorage.getItem('preference:theme')).toBe('dark')
    unmount()
  })

  it.each([
    ['dark', false, 'dark', 'dark'],
    ['light', true, 'light', 'light'],
    ['system', true, 'system', 'dark'],
    ['purple', false, 'system', 'light'],
    [null, true, 'system', 'dark'],
  ])('of a page that begins with %j, machine dark %p, is %s: %s', (stored, isDark, choice, mode) => {
    if (stored !== null) localStorage.setItem('preference:theme', stored)
    const { matchMedia } = globalThis
    const machine = jest
      .spyOn(globalThis, 'matchMedia')
      .mockImplementation((media) =>
        Object.assign(Object.create(matchMedia(media)), { matches: isDark && media.includes('dark') }),
      )
    jest.isolateModules(() => {
      const { useThemeChoice } = jest.requireActual<typeof themes>('./themeChoice.ts')
      const { createElement } = jest.requireActual<typeof react>('react')
      const { renderToStaticMarkup } = jest.requireActual<typeof server>('react-dom/server')
      const Page = () => {
        const { choice, mode: shown } = useThemeChoice()
        return `${choice} ${shown}`
      }
      expect(renderToStaticMarkup(createElement(Page))).toBe(`${choice} ${mode}`)
    })
    machine.mockRestore()
    localStorage.clear()
  })

  const channel = (hex: string, at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = (hex: string) => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
  const contrast = (a: string, b: string) =>
    (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)

  describe.each(['light', 'dark'] as const)('%s', (mode) => {
    const c = colours[mode]
    it.each(['text', 'quiet', 'link', 'success', 'warning', 'danger', 'placeholder'] as const)(
      'has %s readable on card and page [P29]',
      (name) => {
        expect(contrast(c[name], c.card)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(c[name], c.page)).toBeGreaterThanOrEqual(4.5)
      },
    )
    it.each(['success', 'warning', 'danger', 'info'] as const)(
      'has text readable on the ground of a %s alert [P29]',
      (name) => {
        expect(contrast(c.text, c.tints[name][0])).toBeGreaterThanOrEqual(4.5)
      },
    )
    it('has readable text on primary and other buttons, hovered or not [P29]', () => {
      expect(contrast('#ffffff', c.primary)).toBeGreaterThanOrEqual(4.5)
      expect(contrast('#ffffff', c.pointed)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(c.outline, c.card)).toBeGreaterThanOrEqual(4.5)
    })
    it('has readable text on filled and outlined red buttons, hovered or not [P29]', () => {
      const { colorError, colorErrorHover } = theme.getDesignToken(createTheme(mode))
      expect([c.dangerControl, c.dangerHover]).toEqual([colorError, colorErrorHover])
      expect(contrast(c.onDanger, colorError)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(c.onDanger, colorErrorHover)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colorError, c.card)).toBeGreaterThanOrEqual(4.5)
    })
  })
})
