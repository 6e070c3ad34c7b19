import type { Command } from './commands.ts'
import { findCommand, listenToKeys } from './keyboard.ts'

const command = (keys: string[], more: Partial<Command> = {}): Command => ({
  label: keys.join(),
  group: 'Tools',
  keys,
  run: jest.fn(),
  ...more,
})
const press = (key: string, target: EventTarget = document.body, more = {}) => ({
  key,
  target,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

function control(html: string): HTMLElement {
  document.body.innerHTML = html
  return document.querySelector<HTMLElement>('[data-it]')!
}

describe('the keyboard', () => {
  const length = command(['l'])
  const next = command(['ArrowRight', 'ArrowDown'])
  const play = command([' '])
  const all = [length, next, play]

  it('finds the command of a key, in either case [7.42, P29]', () => {
    expect(findCommand(press('l'), all)).toBe(length)
    expect(findCommand(press('L'), all)).toBe(length)
    expect(findCommand(press('x'), all)).toBeUndefined()
  })

  it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves keys with %s to the browser [P29]', (modifier) => {
    expect(findCommand(press('l', document.body, { [modifier]: true }), all)).toBeUndefined()
  })

  it('leaves alone what is not possible now [7.42]', () => {
    expect(findCommand(press('m'), [command(['m'], { isEnabled: () => false })])).toBeUndefined()
  })

  it('leaves a focused control the keys that it needs [P29]', () => {
    expect(findCommand(press('l', control('<input data-it type="number">')), all)).toBeUndefined()
    expect(findCommand(press('ArrowDown', control('<input data-it type="range">')), all)).toBeUndefined()
    expect(findCommand(press('l', control('<input data-it type="range">')), all)).toBe(length)
    expect(findCommand(press(' ', control('<button data-it></button>')), all)).toBeUndefined()
    expect(findCommand(press('Enter', control('<button data-it></button>')), [command(['Enter'])])).toBeUndefined()
    for (const [key, found] of [
      ['l', length],
      ['ArrowRight', next],
    ] as const)
      expect(findCommand(press(key, control('<button data-it></button>')), all)).toBe(found)
    for (const [key, found] of [
      [' ', play],
      ['ArrowRight', next],
    ] as const)
      expect(findCommand(press(key, control('<p data-it></p>')), all)).toBe(found)
    expect(
      findCommand(press('ArrowRight', control('<div role="toolbar"><button data-it></button></div>')), all),
    ).toBeUndefined()
    expect(findCommand(press('ArrowDown', control('<div role="toolbar"><button data-it></button></div>')), all)).toBe(
      next,
    )
    for (const field of ['<select data-it></select>', '<textarea data-it></textarea>'])
      expect(findCommand(press('l', control(field)), all)).toBeUndefined()
    // A key that nothing on the page has: the window itself.
    expect(findCommand(press('l', window), all)).toBe(length)
    expect(findCommand(press('l', control('<dialog open><p data-it></p></dialog>')), all)).toBeUndefined()
  })

  it('lets people who speak to their computer turn letters off, and keeps the arrows [P29]', () => {
    const keySwitch = { isOn: false }
    listenToKeys(all, keySwitch)
    const type = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    type('l')
    expect(length.run).not.toHaveBeenCalled()
    type('ArrowDown')
    expect(next.run).toHaveBeenCalledTimes(1)
    keySwitch.isOn = true
    type('l')
    expect(length.run).toHaveBeenCalledTimes(1)
  })
})
