import { getByLabelText, getByRole, queryByRole, waitFor } from '@testing-library/dom'
import { tag } from '@dmp/dicom'
import { stage } from '../testing/cornerstone.ts'
import { inATabOfItsOwn, isOff, page, pressed, resize } from '../testing/page.ts'

inATabOfItsOwn()

describe('the page', () => {
  it('has one, two or four pictures, and marks the one that is acted on [7.42, P29]', async () => {
    const { place, press, pane, says } = await page({ a: 1, b: 2 })
    await says('1 / 1')
    const panes = () =>
      [...place.querySelectorAll('.pane')].map((each) => [
        each.getAttribute('aria-label'),
        each.getAttribute('aria-current'),
      ])
    expect(panes()).toEqual([['Image 1', null]])
    press('1×2')
    await says('2 / 2', 2)
    expect(panes()).toEqual([
      ['Image 1', 'true'],
      ['Image 2', null],
    ])
    const layout = () => ['1×1', '1×2', '2×2'].map((label) => pressed(place, label))
    await waitFor(() => expect(layout()).toEqual(['false', 'true', 'false']))
    press('2×2')
    await waitFor(() => expect(layout()).toEqual(['false', 'false', 'true']))
    pane(4).dispatchEvent(new Event('focusin'))
    press('1×1')
    await waitFor(() => expect([panes(), layout()]).toEqual([[['Image 1', null]], ['true', 'false', 'false']]))
  })

  it('shows the next series of the study in new panes, and nothing twice: the others are empty [7.42]', async () => {
    const { place, press, pane, says } = await page({ a: 2, b: 3, c: 4 }, { first: 'b', documents: { r: 1 } })
    await says('2 / 3')
    press('2×2')
    await says('3 / 4', 2)
    await says('2 / 2', 3)
    await says('No other series', 4)
    const titles = [1, 2, 3, 4].map((number) => pane(number).querySelector('.corner.top-right p')?.textContent)
    expect(titles).toEqual(['b', 'c', 'a', undefined])
    // What is chosen next comes into it.
    pane(4).dispatchEvent(new Event('pointerdown'))
    getByRole(place, 'button', { name: /^a/ }).click()
    await says('2 / 2', 4)
  })

  it('offers its only series for an empty pane [7.42]', async () => {
    const { place, press, says } = await page({ a: 1 })
    await says('1 / 1')
    expect(queryByRole(place, 'navigation')).toBeNull()
    press('1×2')
    await says('No other series', 2)
    await waitFor(() => expect(getByRole(place, 'button', { name: /^a/ })).toBeVisible())
  })

  it('goes on playing what is chosen already, and stops when another is [7.42]', async () => {
    const { place, press, pane, says } = await page({ a: 2, b: 2 })
    await says('2 / 2')
    press('1×2')
    await says('2 / 2', 2)
    await waitFor(() => expect(isOff(place, 'Play')).toBe(false))
    press('Play')
    pane(1).dispatchEvent(new Event('pointerdown'))
    await waitFor(() => expect(pressed(place, 'Play')).toBe('true'))
    pane(2).dispatchEvent(new Event('pointerdown'))
    await waitFor(() => expect(pressed(place, 'Play')).toBe('false'))
  })

  it('stops playing where something else is opened, and in another layout [7.42]', async () => {
    const { place, press, says } = await page({ a: 2, b: 3 })
    await says('2 / 2')
    press('1×2')
    await says('2 / 3', 2)
    for (const leave of [() => getByRole(place, 'button', { name: /^b/ }).click(), () => press('1×1')]) {
      await waitFor(() => expect(isOff(place, 'Play')).toBe(false))
      press('Play')
      await waitFor(() => expect(pressed(place, 'Play')).toBe('true'))
      leave()
      await waitFor(() => expect(pressed(place, 'Play')).toBe('false'))
    }
  })

  it('stops playing when it is left [7.42, P29]', async () => {
    const { place, press, leave, says } = await page({ a: 2 })
    await says('2 / 2')
    await waitFor(() => expect(isOff(place, 'Play')).toBe(false))
    press('Play')
    await waitFor(() => expect(pressed(place, 'Play')).toBe('true'))
    // What is still running then is found after every test.
    leave()
  })

  it('plays as fast as the pictures were taken, or as somebody asks within its range [7.42]', async () => {
    const { place, says } = await page({ a: 2 }, { more: { [tag.CineRate]: { Value: [15] } } })
    await says('2 / 2')
    const rate = getByLabelText<HTMLInputElement>(place, 'Images per second')
    await waitFor(() => expect(rate.value).toBe('15'))
    const asked = (wanted: string): string => {
      rate.value = wanted
      rate.dispatchEvent(new Event('change'))
      return rate.value
    }
    for (const [wanted, kept] of [
      ['60', '60'],
      ['61', '60'],
      ['1', '1'],
      ['0', '1'],
    ] as const)
      expect(asked(wanted)).toBe(kept)
  })

  it('leaves the number alone that somebody is typing [7.42, P29]', async () => {
    const { place, press, turn, says } = await page({ a: 2 })
    await says('2 / 2')
    const rate = getByLabelText<HTMLInputElement>(place, 'Images per second')
    rate.focus()
    rate.value = '2'
    press('Length')
    await turn()
    await waitFor(() => expect(pressed(place, 'Length')).toBe('true'))
    expect(rate.value).toBe('2')
  })

  it('fills the screen and gives it back [7.42]', async () => {
    const { place, press, says } = await page({ a: 1 })
    await says('1 / 1')
    const asked: string[] = []
    const screen = (fullscreenElement: Element | null) => {
      Object.defineProperty(document, 'fullscreenElement', { value: fullscreenElement, configurable: true })
      document.dispatchEvent(new Event('fullscreenchange'))
    }
    Object.assign(document, { exitFullscreen: () => asked.push('back') })
    Object.assign(document.documentElement, { requestFullscreen: () => asked.push('full') })
    screen(null)
    expect(pressed(place, 'Full screen')).toBe('false')
    press('Full screen')
    screen(document.documentElement)
    expect(pressed(place, 'Full screen')).toBe('true')
    press('Full screen')
    expect(asked).toEqual(['full', 'back'])
    screen(null)
  })

  it('fits again what filled its place when the window changes its size, and leaves what was enlarged [7.42]', async () => {
    const { press, view, says, type } = await page({ a: 1, b: 1 })
    await says('Zoom 1.00×')
    press('1×2')
    await says('Zoom 1.00×', 2)
    type('+')
    const before = [view(1).fits.length, view(2).fits.length]
    resize()
    expect(stage.resized).toEqual([[true, true]])
    expect([view(1).fits.length - before[0]!, view(2).fits.length - before[1]!]).toEqual([0, 1])
  })

  it('lists the series only where there is a choice, each with what it holds [7.42]', async () => {
    const { place } = await page({ a: 1, b: 2 })
    const list = getByRole(place, 'navigation', { name: 'Series' })
    expect([...list.querySelectorAll('.series-facts')].map((facts) => facts.textContent)).toEqual([
      'CT · 1 image',
      'CT · 2 images',
    ])
    // Their place is kept before they are here.
    expect([...list.querySelectorAll('img')].map(({ width, height }) => [width, height])).toEqual([
      [96, 96],
      [96, 96],
    ])
    document.body.replaceChildren()
    expect(queryByRole((await page({ a: 1 })).place, 'navigation')).toBeNull()
  })

  it('marks in the list the series that is acted on, and opens another [7.42, P29]', async () => {
    const { place, says } = await page({ a: 1, b: 2 })
    await says('1 / 1')
    const [first, second] = [...getByRole(place, 'navigation', { name: 'Series' }).querySelectorAll('li button')] as [
      HTMLButtonElement,
      HTMLButtonElement,
    ]
    const marks = () => [first, second].map((button) => button.getAttribute('aria-current'))
    await waitFor(() => expect(marks()).toEqual(['true', null]))
    second.click()
    await says('2 / 2')
    await waitFor(() => expect(marks()).toEqual([null, 'true']))
  })

  it('has a toolbar that is one stop of Tab and walked by arrows, round its ends [P29]', async () => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    const bar = getByRole(place, 'toolbar')
    const go = (key: string) => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      return document.activeElement!.getAttribute('aria-label')
    }
    bar.querySelector('button')!.focus()
    expect([go('ArrowRight'), go('ArrowLeft'), go('ArrowLeft'), go('ArrowRight'), go('End'), go('Home')]).toEqual([
      'Scroll',
      'Window / level',
      'All commands',
      'Window / level',
      'All commands',
      'Window / level',
    ])
    expect(bar.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
    // What is no arrow goes its usual way: Tab leaves the toolbar.
    const leaving = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(false)
    const rate = getByLabelText<HTMLInputElement>(bar, 'Images per second')
    expect([rate.min, rate.max, rate.step || '1', rate.value]).toEqual(['1', '60', '1', '10'])
  })

  it('has no control beyond the edge of a narrow window: the others stand in the list of all commands [P29]', async () => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    const bar = getByRole(place, 'toolbar')
    // Each control is 40 px wide, and the row 100.
    const controls = [...bar.querySelectorAll<HTMLElement>('.tools :is(button, select, input)')]
    const boxes = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const at = controls.indexOf(this as HTMLElement)
      return DOMRect.fromRect(at < 0 ? { width: 100 } : { x: at * 40, width: 40 })
    })
    resize()
    boxes.mockRestore()
    expect(controls.map((each) => each.classList.contains('over')).indexOf(true)).toBe(2)
    bar.querySelector('button')!.focus()
    const names = ['ArrowRight', 'ArrowRight', 'ArrowRight'].map((key) => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      return document.activeElement!.getAttribute('aria-label')
    })
    expect(names).toEqual(['Scroll', 'All commands', 'Window / level'])
  })

  it('names its keys, and lets letters be switched off [P29, P34]', async () => {
    const { place, press, type, says } = await page({ a: 1 })
    await says('1 / 1')
    expect(getByRole(place, 'button', { name: 'Length' }).title).toBe('Length (L)')
    expect(getByRole(place, 'button', { name: 'Delete measurement' }).title).toBe(
      'Delete measurement (Delete / Backspace)',
    )
    type('l')
    await waitFor(() => expect(pressed(place, 'Length')).toBe('true'))
    press('Keyboard and mouse')
    const dialog = place.querySelector('dialog')!
    dialog.dispatchEvent(new Event('toggle'))
    const box = dialog.querySelector('input')!
    expect(box.checked).toBe(true)
    box.click()
    dialog.open = false
    type('a')
    type('ArrowDown')
    await says('1 / 1')
    expect(pressed(place, 'Length')).toBe('true')
    // One switch for application and viewer.
    expect(localStorage.getItem('preference:keys')).toBe('off')
    localStorage.setItem('preference:keys', 'on')
  })

  it('explains each key in its own section, and closes where one clicks beside it [P29]', async () => {
    const { place, press, says } = await page({ a: 1 })
    await says('1 / 1')
    press('Keyboard and mouse')
    const dialog = place.querySelector('dialog')!
    dialog.close = () => {
      dialog.open = false
    }
    dialog.dispatchEvent(new Event('toggle'))
    const section = (name: string) =>
      [
        ...[...dialog.querySelectorAll('section')]
          .find((each) => each.querySelector('h3')!.textContent === name)!
          .querySelectorAll('dl div'),
      ].map((line) => [...line.children].map(({ textContent }) => textContent).join(': '))
    expect(section('Page')).toEqual(['?: Keyboard and mouse', 'Ctrl+K: All commands'])
    expect(section('Picture')).toContain('0 F: Fit to window')
    expect(section('Window')).toEqual([
      '1: Soft tissue (CT)',
      '2: Lung (CT)',
      '3: Bone (CT)',
      '4: Brain (CT)',
      '5: Liver (CT)',
    ])
    dialog.querySelector('h3')!.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(dialog.open).toBe(true)
    dialog.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(dialog.open).toBe(false)
  })

  it('tells its controls once a turn, however much has changed [7.42]', async () => {
    const { place, press, turn, says } = await page({ a: 1 })
    await says('1 / 1')
    await turn()
    const frames = jest.spyOn(globalThis, 'requestAnimationFrame')
    for (const label of ['Length', 'Angle', 'Pan']) press(label)
    expect(frames).toHaveBeenCalledTimes(1)
    frames.mockRestore()
    await waitFor(() => expect(pressed(place, 'Pan')).toBe('true'))
  })
})
