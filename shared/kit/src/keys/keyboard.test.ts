import { addKeys, listKeys, runKey } from './keyboard.ts'
import { toKeyCaps, type KeyCommand } from './KeyCommand.ts'
import { areKeysOn, writeKeys } from './keySwitch.ts'

const command = (keys: string[], more: Pick<KeyCommand, 'isEnabled'> = {}) => ({
  label: keys.join(),
  group: 'Tools',
  keys,
  run: jest.fn(),
  ...more,
})

const ends: (() => void)[] = []
function listen(...commands: KeyCommand[]): void {
  ends.push(addKeys({ current: commands }))
}

function press(key: string, target: EventTarget = document.body, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  target.dispatchEvent(event)
  return event
}

function control(html: string): HTMLElement {
  document.body.innerHTML = html
  return document.querySelector<HTMLElement>('[data-it]')!
}

afterEach(() => {
  for (const end of ends.splice(0)) end()
  document.body.replaceChildren()
  localStorage.clear()
  writeKeys(true)
  localStorage.clear()
})

describe('the keyboard', () => {
  it('runs the command of a key, in either case, and keeps the key from the page [7.42, P29, P34]', () => {
    const length = command(['l'])
    listen(length)
    expect(press('l').defaultPrevented).toBe(true)
    press('L')
    expect(length.run).toHaveBeenCalledTimes(2)
    expect(press('x').defaultPrevented).toBe(false)
  })

  it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves keys with %s to the browser [P29]', (modifier) => {
    const length = command(['l'])
    listen(length)
    press('l', document.body, { [modifier]: true })
    expect(length.run).not.toHaveBeenCalled()
  })

  it('leaves alone what is not possible now, and asks the lists before [7.42]', () => {
    const [page, dialog] = [command(['m']), command(['m'], { isEnabled: () => false })]
    listen(page)
    listen(dialog)
    press('m')
    expect(dialog.run).not.toHaveBeenCalled()
    expect(page.run).toHaveBeenCalledTimes(1)
  })

  it('prefers what was drawn last, and forgets it with its screen', () => {
    const [page, list] = [command(['j']), command(['j'])]
    listen(page)
    listen(list)
    press('j')
    expect([page.run.mock.calls.length, list.run.mock.calls.length]).toEqual([0, 1])
    expect(listKeys()).toEqual([list, page])
    ends.pop()!()
    press('j')
    expect(page.run).toHaveBeenCalledTimes(1)
  })

  it('takes two keys one after the other, and nothing from a pair that there is not', () => {
    const [scans, share, next] = [command(['g s']), command(['s']), command(['j'])]
    listen(scans, share, next)
    press('g')
    press('s')
    expect([scans.run.mock.calls.length, share.run.mock.calls.length]).toEqual([1, 0])
    press('g')
    press('j')
    expect(next.run).not.toHaveBeenCalled()
    press('s')
    expect(share.run).toHaveBeenCalledTimes(1)
  })

  it('forgets the first key of two after a second and a half', () => {
    const [scans, share] = [command(['g s']), command(['s'])]
    listen(scans, share)
    const clock = jest.spyOn(Event.prototype, 'timeStamp', 'get')
    const runs = (ms: number) => {
      clock.mockReturnValue(0)
      press('g')
      clock.mockReturnValue(ms)
      press('s')
      return [scans.run.mock.calls.length, share.run.mock.calls.length]
    }
    expect([runs(1499), runs(1500)]).toEqual([
      [1, 0],
      [1, 1],
    ])
    clock.mockRestore()
  })

  it('leaves alone what is typed with an input method, and hears what is pressed on nothing', () => {
    const length = command(['l'])
    listen(length)
    expect(press('l', document.body, { isComposing: true }).defaultPrevented).toBe(false)
    expect(press('l', document).defaultPrevented).toBe(true)
    expect(length.run).toHaveBeenCalledTimes(1)
  })

  it('finds letters and signs where they are on keyboards of other scripts', () => {
    const [next, search, help] = [command(['j']), command(['/']), command(['?'])]
    listen(next, search, help)
    press('ت', document.body, { code: 'KeyJ' })
    press('ظ', document.body, { code: 'Slash' })
    press('؟', document.body, { code: 'Slash', shiftKey: true })
    for (const { run } of [next, search, help]) expect(run).toHaveBeenCalledTimes(1)
  })

  it('runs a key that a button names', () => {
    const help = command(['?'])
    listen(help)
    runKey('?')
    runKey('!')
    expect(help.run).toHaveBeenCalledTimes(1)
  })
})

describe('a key that something else needs', () => {
  it('is left to the focused control [P29]', () => {
    const [length, next, play, enter] = [command(['l']), command(['ArrowRight']), command([' ']), command(['Enter'])]
    listen(length, next, play, enter)
    const runs = (key: string, html: string): boolean => press(key, control(html)).defaultPrevented
    for (const [key, html] of [
      ['l', '<input data-it>'],
      ['l', '<input data-it type="number">'],
      ['ArrowRight', '<input data-it type="range">'],
      [' ', '<input data-it type="checkbox">'],
      ['Enter', '<input data-it type="checkbox">'],
      ['ArrowRight', '<input data-it type="radio">'],
      [' ', '<input data-it type="radio">'],
      [' ', '<button data-it></button>'],
      ['Enter', '<button data-it></button>'],
      ['Enter', '<a data-it href="/x">x</a>'],
      ['ArrowRight', '<div role="toolbar"><button data-it></button></div>'],
      ['l', '<select data-it></select>'],
      ['l', '<textarea data-it></textarea>'],
      ['l', '<p data-it contenteditable></p>'],
      ['l', '<div role="menu"><button data-it></button></div>'],
    ] as const)
      expect([html, key, runs(key, html)]).toEqual([html, key, false])
    for (const [key, html] of [
      ['l', '<input data-it type="range">'],
      [' ', '<input data-it type="range">'],
      ['l', '<input data-it type="checkbox">'],
      ['l', '<input data-it type="radio">'],
      ['l', '<div role="toolbar"><button data-it></button></div>'],
      ['l', '<button data-it></button>'],
      ['ArrowRight', '<button data-it></button>'],
      [' ', '<a data-it href="/x">x</a>'],
      ['Enter', '<p data-it></p>'],
    ] as const)
      expect([html, key, runs(key, html)]).toEqual([html, key, true])
  })

  it('does nothing while a dialog is open, wherever the focus is [P29]', () => {
    const [length, search] = [command(['l']), command(['Mod+k'])]
    listen(length, search)
    for (const dialog of ['<dialog open></dialog><p data-it></p>', '<div role="dialog"></div><p data-it></p>']) {
      expect(press('l', control(dialog)).defaultPrevented).toBe(false)
      expect(press('k', control(dialog), { ctrlKey: true }).defaultPrevented).toBe(false)
    }
  })
})

describe('a key with Ctrl', () => {
  it('works in fields and when single keys are off, and leaves its neighbours to the browser', () => {
    const search = command(['Mod+k'])
    listen(search)
    writeKeys(false)
    press('k', control('<input data-it>'), { ctrlKey: true })
    press('л', document.body, { ctrlKey: true, code: 'KeyK' })
    expect(search.run).toHaveBeenCalledTimes(2)
    press('k', document.body, { ctrlKey: true, shiftKey: true })
    press('k', document.body, { metaKey: true })
    press('k', document.body, { ctrlKey: true, metaKey: true })
    // On keyboards with AltGr it writes a sign.
    press('k', document.body, { ctrlKey: true, altKey: true })
    expect(search.run).toHaveBeenCalledTimes(2)
    expect(toKeyCaps('Mod+k')).toEqual(['Ctrl+K'])
  })

  it('is the command key on a Mac', () => {
    const platform = jest.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    const search = command(['Mod+k'])
    listen(search)
    press('k', document.body, { metaKey: true })
    press('k', document.body, { ctrlKey: true })
    press('k', document.body, { ctrlKey: true, metaKey: true })
    expect(search.run).toHaveBeenCalledTimes(1)
    expect(toKeyCaps('Mod+k')).toEqual(['⌘K'])
    platform.mockRestore()
  })
})

describe('the switch', () => {
  it('turns letters off for people who speak to their computer, and keeps the arrows [P29]', () => {
    const [length, next] = [command(['l']), command(['ArrowDown'])]
    listen(length, next)
    writeKeys(false)
    press('l')
    press('ArrowDown')
    expect([length.run.mock.calls.length, next.run.mock.calls.length]).toEqual([0, 1])
    writeKeys(true)
    press('l')
    expect(length.run).toHaveBeenCalledTimes(1)
  })

  it('is off for those who turned the keys of the worklist off before', () => {
    localStorage.setItem('preference:worklist-keys', 'off')
    expect(areKeysOn()).toBe(false)
    writeKeys(true)
    expect(areKeysOn()).toBe(true)
  })

  it('lasts as long as the page where nothing can be stored', () => {
    const storage = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    writeKeys(false)
    expect(areKeysOn()).toBe(false)
    storage.mockRestore()
  })
})

it('writes keys as they stand on the keyboard', () => {
  expect(['g s', ' ', 'ArrowUp', 'j', 'Delete', 'PageDown', '?'].map((key) => toKeyCaps(key).join(' '))).toEqual([
    'G S',
    'Space',
    '↑',
    'J',
    'Delete',
    'Page down',
    '?',
  ])
})
