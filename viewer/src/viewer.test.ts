import { getByRole, waitFor } from '@testing-library/dom'
import { icons } from './ui/icons.ts'
import { eventTarget, stage } from './testing/cornerstone.ts'
import { inATabOfItsOwn, isOff, lostAddresses, page, pressed } from './testing/page.ts'

inATabOfItsOwn()

describe('a stack', () => {
  it('opens in its middle and says where one is, to ear and eye [7.42, P29]', async () => {
    const { place, says, slider, pane } = await page({ a: 20 })
    await says('11 / 20')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', true)
    await waitFor(() => expect(getByRole(place, 'status')).toHaveTextContent('a, Slice 11 of 20'))
    expect([
      slider().min,
      slider().max,
      slider().step || '1',
      slider().value,
      slider().getAttribute('aria-valuetext'),
    ]).toEqual(['1', '20', '1', '11', 'Slice 11 of 20'])
    slider().value = '5'
    slider().dispatchEvent(new Event('input'))
    await says('5 / 20')
  })

  it('is gone through by keys, and ends at both ends [7.42, P29]', async () => {
    const { says, type } = await page({ a: 20 })
    await says('11 / 20')
    for (const [key, place] of [
      ['ArrowDown', 12],
      ['ArrowUp', 11],
      ['PageUp', 1],
      ['ArrowUp', 1],
      ['PageDown', 11],
      ['End', 20],
      ['ArrowDown', 20],
      ['Home', 1],
    ] as const) {
      type(key)
      await says(`${place} / 20`)
    }
  })

  it('has six pictures under way, tells which is awaited, and reaches eight to either side where memory is small [7.42]', async () => {
    stage.isSlow = true
    const { says, pane } = await page({ a: 40 })
    await says('Loading slice 21 …')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', false)
    expect(stage.asked).toHaveLength(1)
    stage.asked[0]!.answer()
    await waitFor(() => expect(stage.asked).toHaveLength(7))
    stage.isSlow = false
    for (const { answer } of stage.asked) answer()
    await says('17 loaded')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', true)
  })

  it('dims an empty place, and a picture that the next one has not replaced yet [7.42]', async () => {
    stage.isSlow = true
    const { says, pane, type } = await page({ a: 40 })
    const looks = () => ['empty', 'behind'].filter((look) => pane().classList.contains(look))
    await says('Loading slice 21 …')
    expect(looks()).toEqual(['empty'])
    expect(pane().querySelector('progress')).toMatchObject({ hidden: false, max: 40 })
    stage.asked[0]!.answer()
    await says('1 loaded')
    expect(looks()).toEqual([])
    type('End')
    await says('Loading slice 40 …')
    expect(looks()).toEqual(['behind'])
  })

  it('says how many are loaded only as long as some are missing, and shows which [7.42]', async () => {
    const drawn: string[] = []
    const pen = { fillStyle: '', fillRect: (_x: number, at: number) => (drawn[at] = pen.fillStyle) }
    HTMLCanvasElement.prototype.getContext = (() => pen) as never
    stage.isSlow = true
    const { says, pane } = await page({ a: 3 })
    await says('Loading slice 2 …')
    expect([drawn.length, new Set([drawn[0], drawn[2]]).size, drawn[0] === drawn[1]]).toEqual([3, 1, false])
    stage.asked[0]!.answer()
    await says('1 loaded')
    await waitFor(() => expect(stage.asked).toHaveLength(3))
    for (const { answer } of stage.asked) answer()
    await waitFor(() => expect(pane().querySelector('progress')).toHaveProperty('hidden', true))
    expect(pane().querySelector('.corner.bottom-left')).toHaveTextContent(/^2 \/ 3$/)
    expect([drawn.length, new Set(drawn).size, pane().querySelector('canvas')!.height]).toEqual([3, 1, 3])
  })

  it('asks for the picture in view before all others, and again for one that had to make room [7.42]', async () => {
    const { says, type, pane } = await page({ a: 3 })
    await says('2 / 3')
    await waitFor(() => expect(pane().querySelector('progress')).toHaveProperty('hidden', true))
    expect(stage.asked.map(({ how }) => how)).toEqual([
      { useRGBA: false, priority: -5, requestType: 'interaction' },
      ...Array.from({ length: 2 }, () => ({ useRGBA: false, priority: 0, requestType: 'prefetch' })),
    ])
    const first = stage.asked.find(({ id }) => id.includes('/a.1/'))!.id
    for (const imageId of ['wadors:elsewhere', first])
      eventTarget.dispatchEvent(new CustomEvent('removed', { detail: { imageId } }))
    type('Home')
    await says('1 / 3')
    await waitFor(() => expect(stage.asked.slice(3).map(({ id }) => id)).toEqual([first]))
  })

  it('without a window gets one for all of its grey pictures; colour is left as it is [7.42]', async () => {
    stage.hasWindow = false
    const grey = await page({ a: 3 })
    await grey.says('2 / 3')
    await waitFor(() => expect(stage.pictures).toHaveLength(3))
    await waitFor(() =>
      expect(stage.pictures.map(({ windowWidth, windowCenter }) => [windowWidth, windowCenter])).toEqual(
        Array.from({ length: 3 }, () => [[10], [5]]),
      ),
    )
    stage.pictures.length = 0
    stage.isColour = true
    const colour = await page({ a: 1 })
    await waitFor(() => expect(colour.place).toHaveTextContent('1 / 1'))
    expect(stage.pictures.map(({ windowWidth }) => windowWidth)).toEqual([undefined])
  })

  it('is not scrolled before it is here [7.42]', async () => {
    const { pane, says } = await page({ a: 3 })
    const { offered } = await import('./imaging/tools.ts')
    const turn = () =>
      (new offered[1]!() as unknown as { mouseWheelCallback: (turn: unknown) => void }).mouseWheelCallback({
        detail: { element: pane().querySelector('.picture'), wheel: { direction: 1 } },
      })
    expect(turn).not.toThrow()
    await says('2 / 3')
    turn()
    await says('3 / 3')
  })

  it('that is not there says so, each time that it is asked for again [7.42, P28]', async () => {
    lostAddresses.add('a')
    const { pane, says } = await page({ a: 1 })
    await says('These images were not found')
    const again = () => getByRole(pane(), 'button', { name: 'Try again' })
    again().click()
    await says('These images were not found')
    expect(pane().querySelector('.pane-notice')).toHaveAttribute('role', 'alert')
    lostAddresses.clear()
    again().click()
    await says('1 / 1')
  })

  it('keeps the button of a failure where it is, whatever changes around it [7.42, P29]', async () => {
    stage.isDamaged = true
    const { pane, view, says } = await page({ a: 1 })
    await says('This image cannot be read')
    const button = getByRole(pane(), 'button', { name: 'Try again' })
    view().render()
    expect(getByRole(pane(), 'button', { name: 'Try again' })).toBe(button)
    button.click()
    await says('This image cannot be read')
    expect(pane().querySelector('.pane-notice')).toHaveAttribute('role', 'alert')
  })

  it('of one picture cannot be played [7.42]', async () => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    await waitFor(() => expect(isOff(place, 'Invert')).toBe(false))
    expect(isOff(place, 'Play')).toBe(true)
  })

  it('is not read out slice by slice while it plays [7.42, P29]', async () => {
    const { place, press, says, turn } = await page({ a: 2 })
    await says('2 / 2')
    await waitFor(() => expect(getByRole(place, 'status')).toHaveTextContent('a, Slice 2 of 2'))
    const { setTimeout: real } = globalThis
    const waits: unknown[] = []
    globalThis.setTimeout = ((act: () => void, ms: number) => (waits.push(ms), real(act, ms))) as typeof setTimeout
    press('Play')
    await says('1 / 2')
    await turn()
    globalThis.setTimeout = real
    // What is to be said waits so long for what comes after it.
    expect(waits).not.toContain(600)
    press('Play')
  })

  it('gives each object of many frames its header once [7.42]', async () => {
    const { says } = await page({ a: 2 }, { frames: 3 })
    await says('4 / 6')
    expect(stage.headers.map((id) => id.replace(/^.*instances/, ''))).toEqual(['/a.1/frames/1', '/a.2/frames/1'])
  })

  it('says which picture cannot be read, and keeps nothing of it [7.42, P28]', async () => {
    stage.isDamaged = true
    const { says, pane } = await page({ a: 1 })
    await says('This image cannot be read')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', false)
    expect(stage.dropped).toEqual([[expect.stringContaining('a.1'), { force: true }]])
    expect(pane().querySelector('.slice-slider')).toHaveProperty('hidden', true)
  })

  it('of two pictures can be gone through and played [7.42]', async () => {
    const two = await page({ a: 2 })
    await two.says('2 / 2')
    expect(two.pane().querySelector('.slice-slider')).toHaveProperty('hidden', false)
    expect([two.slider().max, two.slider().value, two.pane().querySelector('canvas')!.width]).toEqual(['2', '2', 1])
    await waitFor(() => expect(isOff(two.place, 'Play')).toBe(false))
    const icon = () => two.place.querySelector('[aria-label="Play"] path')!.getAttribute('d')
    const before = icon()
    expect(before).toBe(icons.play)
    two.press('Play')
    await waitFor(() => expect(pressed(two.place, 'Play')).toBe('true'))
    expect(icon()).not.toBe(before)
    two.press('Play')
    await waitFor(() => expect(icon()).toBe(before))
  })
})

describe('a line that is away', () => {
  it('is said above the pictures until one comes in again [7.42, P28]', async () => {
    stage.isSlow = true
    const { place, press, says, turn } = await page({ a: 9 })
    await says('Loading slice 5 …')
    stage.asked[0]!.answer()
    await waitFor(() => expect(stage.asked).toHaveLength(7))
    await turn()
    const banner = place.querySelector('.banner')
    stage.asked[1]!.fail()
    await waitFor(() => expect(banner).toHaveProperty('hidden', false))
    expect(banner).toHaveTextContent('Connection lost.')
    // Whatever else is done meanwhile.
    press('Length')
    await turn()
    expect(banner).toHaveProperty('hidden', false)
    stage.asked[2]!.answer()
    await waitFor(() => expect(banner).toHaveProperty('hidden', true))
  })

  it('goes on being said when the last picture came in just before it was lost [7.42, P28]', async () => {
    stage.isSlow = true
    const { place, says, turn } = await page({ a: 9 })
    await says('Loading slice 5 …')
    stage.asked[0]!.answer()
    await waitFor(() => expect(stage.asked).toHaveLength(7))
    await turn()
    stage.asked[1]!.answer()
    stage.asked[2]!.fail()
    const banner = place.querySelector('.banner')
    await waitFor(() => expect(banner).toHaveProperty('hidden', false))
    await turn()
    expect(banner).toHaveProperty('hidden', false)
  })
})
