import { MenuButton, Modal, notify, Progress, StatusBadge } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import theme from 'antd/es/theme'
import { colours, createTheme } from './theme.ts'
import { toneOf } from './StatusBadge.tsx'
import { RecentNotices } from './RecentNotices.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

describe('notices', () => {
  const pass = (ms: number) =>
    act(() => {
      jest.advanceTimersByTime(ms)
    })
  const show = (run: () => void) => act(() => run())
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it('stand for 5000 ms, successes as status and errors as alert [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.success('Scan deleted'))
    show(() => notify.error('It failed.'))
    expect(screen.getByRole('status')).toHaveTextContent('Scan deleted')
    expect(screen.getByRole('alert')).toHaveTextContent('It failed.')
    pass(4999)
    expect(screen.getByText('Scan deleted')).toBeVisible()
    pass(1)
    expect(screen.queryByText('Scan deleted')).not.toBeInTheDocument()
  })

  it('stand still while pointed at, focused or hidden, and go on afterwards [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.info('Look'))
    pass(3000)
    fireEvent.mouseEnter(screen.getByRole('status'))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.mouseLeave(screen.getByRole('status'))
    pass(1999)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.focus(screen.getByRole('button', { name: 'Close notification' }))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.blur(screen.getByRole('button', { name: 'Close notification' }))
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    hidden.mockReturnValue(false)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    pass(2000)
    expect(screen.queryByText('Look')).not.toBeInTheDocument()
    hidden.mockRestore()
  })

  it('can be closed, and read again afterwards', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    show(() => notify.warning('Careful'))
    fireEvent.click(screen.getByRole('button', { name: 'Close notification' }))
    expect(screen.queryByText('Careful')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getByText('Careful')).toBeInTheDocument()
    expect(screen.queryByText('Nothing yet.')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Careful')).not.toBeInTheDocument()
  })

  it('are none to be read again before there was one', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getByText('Nothing yet.')).toBeInTheDocument()
  })

  it('stand a second longer than they would when they are left late [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.info('Look'))
    pass(4900)
    fireEvent.mouseEnter(screen.getByRole('status'))
    pass(5000)
    fireEvent.mouseLeave(screen.getByRole('status'))
    pass(999)
    expect(screen.getByText('Look')).toBeVisible()
    pass(1)
    expect(screen.queryByText('Look')).not.toBeInTheDocument()
  })

  it('stand four at once, the newest, and twenty can be read again', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    for (let count = 1; count <= 25; count += 1) show(() => notify.info(`Notice ${count}.`))
    expect(screen.getAllByRole('status').map((notice) => /Notice \d+/.exec(notice.textContent ?? '')?.[0])).toEqual([
      'Notice 22',
      'Notice 23',
      'Notice 24',
      'Notice 25',
    ])
    pass(5000)
    expect(screen.queryByText('Notice 25.')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getAllByText(/^Notice \d+\.$/).map(({ textContent }) => textContent)).toEqual(
      Array.from({ length: 20 }, (_, at) => `Notice ${25 - at}.`),
    )
  })

  it('do not repeat the same words at once', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.error('Offline'))
    show(() => notify.error('Offline'))
    expect(screen.getAllByText('Offline')).toHaveLength(1)
  })
})

describe('badges', () => {
  it.each([
    ['New', 'secondary'],
    ['OnHold', 'warning'],
    ['Pending', 'primary'],
    ['InProgress', 'primary'],
    ['Resolved', 'success'],
    ['Activated', 'success'],
    ['Deactivated', 'danger'],
    ['Approved', 'success'],
    ['Rejected', 'danger'],
    ['Autometrics', 'primary'],
    ['BMD', 'success'],
    ['OssView', 'info'],
    ['PeekMed', 'dark'],
    ['something else', 'secondary'],
  ])('%s is %s [4.01, 4.03, 4.05, 9.13]', (value, tone) => {
    expect(toneOf(value)).toBe(tone)
  })

  it('are never told apart by colour alone [P29]', () => {
    renderScreen(
      <>
        <StatusBadge value="Activated" />
        <StatusBadge value="Deactivated" />
      </>,
      { at: '/' },
    )
    const signs = ['Activated', 'Deactivated'].map((text) =>
      screen.getByText(text).querySelector('svg path')?.getAttribute('d'),
    )
    expect(new Set(signs).size).toBe(2)
    expect(signs).not.toContain(undefined)
  })

  it('have no sign where they are names and no state [9.13]', () => {
    renderScreen(<StatusBadge value="BMD" plain />, { at: '/' })
    expect(screen.getByText('BMD').querySelector('svg')).toBeNull()
  })
})

describe('a menu button', () => {
  const items = [
    { key: 'a', label: 'First' },
    { key: 'b', label: 'Second' },
  ]
  const draw = () => {
    const onChoose = jest.fn()
    return {
      onChoose,
      ...renderScreen(<MenuButton label="User menu" items={items} onChoose={onChoose} />, { at: '/' }),
    }
  }

  it('opens with the focus on its first entry, is walked with arrows, and chooses [P29]', async () => {
    const { user, onChoose } = draw()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    expect(screen.getByRole('menuitem', { name: 'First' })).toHaveFocus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(onChoose).toHaveBeenCalledWith('b')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  })

  it('is walked round its ends, and left by Tab or when the page moves [P29]', async () => {
    const { user } = draw()
    const button = screen.getByRole('button', { name: 'User menu' })
    expect([
      button.getAttribute('aria-busy'),
      button.hasAttribute('disabled'),
      button.getAttribute('aria-expanded'),
    ]).toEqual(['false', false, 'false'])
    await user.click(button)
    for (const [key, name] of [
      ['ArrowUp', 'Second'],
      ['ArrowDown', 'First'],
      ['End', 'Second'],
      ['ArrowUp', 'First'],
      ['End', 'Second'],
      ['Home', 'First'],
    ] as const) {
      await user.keyboard(`{${key}}`)
      expect(screen.getByRole('menuitem', { name })).toHaveFocus()
    }
    fireEvent.scroll(screen.getByRole('menu'))
    expect(screen.getByRole('menu')).toBeVisible()
    fireEvent.scroll(document.body)
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    await user.click(button)
    await user.keyboard('{Tab}')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  })

  it.each([
    ['below its button', { left: 50, top: 20, bottom: 60 }, '50px', '64px'],
    ['within the right edge', { left: 1000, top: 20, bottom: 60 }, '816px', '64px'],
    ['within the left edge', { left: -20, top: 20, bottom: 60 }, '8px', '64px'],
    ['below as long as it just fits', { left: 50, top: 600, bottom: 656 }, '50px', '660px'],
    ['above where there is no room below', { left: 50, top: 640, bottom: 665 }, '50px', '536px'],
    ['within the upper edge', { left: 50, top: 50, bottom: 750 }, '50px', '8px'],
  ])('stands %s', async (_where, rect, left, top) => {
    const spies = [
      jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(rect as DOMRect),
      jest.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200),
      jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100),
    ]
    const { user } = draw()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    expect([innerWidth, innerHeight, screen.getByRole('menu').style.left, screen.getByRole('menu').style.top]).toEqual([
      1024,
      768,
      left,
      top,
    ])
    for (const spy of spies) spy.mockRestore()
  })

  it('closes on Escape, back to its button, and on a click elsewhere [P29]', async () => {
    const { user } = draw()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('button', { name: 'User menu' })).toHaveFocus()
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    await user.click(document.body)
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  })
})

describe('a dialog', () => {
  // jsdom has no layout; a browser says so itself which controls are there.
  beforeEach(() => void jest.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList))
  afterEach(() => void jest.restoreAllMocks())

  it('keeps Tab going round inside it, both ways [P29]', async () => {
    const { user } = renderScreen(
      <>
        <button type="button">behind</button>
        <Modal
          open
          title="Ask"
          closable={false}
          footer={
            <>
              <button type="button">one</button>
              <button type="button">two</button>
            </>
          }
        >
          Sure?
        </Modal>
      </>,
      { at: '/' },
    )
    await screen.findByRole('dialog', { name: 'Ask' })
    screen.getByRole('button', { name: 'two' }).focus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'one' })).toHaveFocus()
    await user.tab({ shift: true })
    expect(screen.getByRole('button', { name: 'two' })).toHaveFocus()
  })

  it('passes over what is not to be seen in it [P29]', async () => {
    jest.spyOn(Element.prototype, 'getClientRects').mockImplementation(function rects(this: Element) {
      return (this.textContent === 'unseen' ? [] : [{}]) as unknown as DOMRectList
    })
    const { user } = renderScreen(
      <Modal
        open
        title="Ask"
        closable={false}
        footer={
          <>
            <button type="button">one</button>
            <button type="button">two</button>
            <button type="button">unseen</button>
          </>
        }
      >
        Sure?
      </Modal>,
      { at: '/' },
    )
    await screen.findByRole('dialog', { name: 'Ask' })
    screen.getByRole('button', { name: 'two' }).focus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'one' })).toHaveFocus()
  })
})

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
    await user.click(screen.getByRole('button', { name: 'Colours: System colours' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark colours' }))
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark')
    expect(localStorage.getItem('preference:theme')).toBe('dark')
    unmount()
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
    it('has white readable on its primary buttons, and the words of the others on the card, under the pointer too [P29]', () => {
      expect(contrast('#ffffff', c.primary)).toBeGreaterThanOrEqual(4.5)
      expect(contrast('#ffffff', c.pointed)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(c.outline, c.card)).toBeGreaterThanOrEqual(4.5)
    })
    it('has the words of buttons filled in red readable, under the pointer too, and of those outlined in it [P29]', () => {
      const { colorError, colorErrorHover } = theme.getDesignToken(createTheme(mode))
      expect(contrast(c.onDanger, colorError)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(c.onDanger, colorErrorHover)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colorError, c.card)).toBeGreaterThanOrEqual(4.5)
    })
  })
})

it('gives the focus back to what opened it, also when it is taken away at once [P29]', async () => {
  function Opener() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
        {isOpen && (
          <Modal
            open
            title="Ask"
            onCancel={() => setOpen(false)}
            footer={
              <button type="button" onClick={() => setOpen(false)}>
                done
              </button>
            }
          />
        )}
      </>
    )
  }
  const { user } = renderScreen(<Opener />, { at: '/' })
  await user.click(screen.getByRole('button', { name: 'open' }))
  await user.click(await screen.findByRole('button', { name: 'done' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'open' })).toHaveFocus())
})
