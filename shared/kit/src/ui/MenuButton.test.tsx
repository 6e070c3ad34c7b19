import { MenuButton } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen } from '@testing-library/react'

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
    [
      'below its button, from its right edge where lines begin there',
      { left: 350, right: 500, top: 20, bottom: 60 },
      '300px',
      '64px',
      'rtl',
    ],
    ['below its button', { left: 50, top: 20, bottom: 60 }, '50px', '64px'],
    ['within the right edge', { left: 1000, top: 20, bottom: 60 }, '816px', '64px'],
    ['within the left edge', { left: -20, top: 20, bottom: 60 }, '8px', '64px'],
    ['below as long as it just fits', { left: 50, top: 600, bottom: 656 }, '50px', '660px'],
    ['above where there is no room below', { left: 50, top: 640, bottom: 665 }, '50px', '536px'],
    ['within the upper edge', { left: 50, top: 50, bottom: 750 }, '50px', '8px'],
  ])('stands %s', async (_where, rect, left, top, direction = 'ltr') => {
    const spies = [
      jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(rect as DOMRect),
      jest.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200),
      jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100),
    ]
    const { user, container } = draw()
    container.querySelector<HTMLElement>('.dmp-menu-root')!.style.direction = direction
    await user.click(screen.getByRole('button', { name: 'User menu' }))
    expect([innerWidth, innerHeight, screen.getByRole('menu').style.left, screen.getByRole('menu').style.top]).toEqual([
      1024,
      768,
      left,
      top,
    ])
    for (const spy of spies) spy.mockRestore()
  })

  it.each([
    [true, 'Loading…'],
    [false, 'No choices.'],
  ])('without entries, busy %p, says %s', async (busy, text) => {
    const { user } = renderScreen(<MenuButton label="Views" busy={busy} items={[]} onChoose={() => undefined} />, {
      at: '/',
    })
    await user.click(screen.getByRole('button', { name: 'Views' }))
    expect(screen.getByRole('menu')).toHaveTextContent(text)
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
