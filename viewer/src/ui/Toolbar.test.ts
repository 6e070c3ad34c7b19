import { getByLabelText, getByRole, waitFor } from '@testing-library/dom'
import { inATabOfItsOwn, isOff, page, pressed, resize } from '../testing/page.ts'

inATabOfItsOwn()

const withFinger = () =>
  jest.spyOn(window, 'matchMedia').mockImplementation(() => ({ matches: true }) as MediaQueryList)

it.each([
  [120, 3],
  [119, 3],
  [118.9, 2],
  [0, 0],
])(
  'of controls of 40 px, a row of %d px has %i: one that stands out by a pixel is still seen whole [P29]',
  async (width, count) => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    const controls = [...getByRole(place, 'toolbar').querySelectorAll<HTMLElement>('.tools :is(button, select, input)')]
    const boxes = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const at = controls.indexOf(this as HTMLElement)
      return DOMRect.fromRect(at < 0 ? { width } : { x: at * 40, width: 40 })
    })
    resize()
    boxes.mockRestore()
    expect(controls.findIndex((each) => each.classList.contains('over'))).toBe(count)
  },
)

it('the preset is named only where width and center are its own, and to choose none changes nothing [7.42]', async () => {
  const { place, view, says } = await page({ a: 1 })
  await says('Zoom 1.00×')
  const choice = getByLabelText<HTMLSelectElement>(place, 'Window preset')
  const show = (lower: number, upper: number) => {
    view().setProperties({ voiRange: { lower, upper } })
    view().render()
  }
  for (const [lower, upper, named] of [
    [0, 79, 'Brain'],
    [1, 80, ''],
    [0, 79, 'Brain'],
    [0, 80, ''],
    [0.2, 79.2, 'Brain'],
  ] as const) {
    show(lower, upper)
    await waitFor(() => expect([choice.value, lower]).toEqual([named, lower]))
  }
  choice.value = ''
  choice.dispatchEvent(new Event('change'))
  expect(view().state.voiRange).toEqual({ lower: 0.2, upper: 79.2 })
})

it('under a finger the slices are scrolled first, under a mouse the window is changed [7.42, P29]', async () => {
  const mouse = await page({ a: 1 })
  await mouse.says('1 / 1')
  const chosen = (place: HTMLElement) => ['Scroll', 'Window / level'].map((label) => pressed(place, label))
  expect(chosen(mouse.place)).toEqual(['false', 'true'])
  document.body.replaceChildren()
  const finger = withFinger()
  const { place, says } = await page({ a: 1 })
  await says('1 / 1')
  finger.mockRestore()
  expect(chosen(place)).toEqual(['true', 'false'])
})

it('what plays goes on at another speed as soon as somebody asks for it, and what does not stays [7.42]', async () => {
  const { place, press, says } = await page({ a: 2 })
  await says('2 / 2')
  const rate = getByLabelText<HTMLInputElement>(place, 'Images per second')
  await waitFor(() => expect([rate.value, isOff(place, 'Play')]).toEqual(['10', false]))
  const every = jest.spyOn(globalThis, 'setInterval')
  const ask = (wanted: string) => {
    every.mockClear()
    rate.value = wanted
    rate.dispatchEvent(new Event('change'))
    return every.mock.calls.map(([, ms]) => ms)
  }
  expect(ask('20')).toEqual([])
  expect(pressed(place, 'Play')).toBe('false')
  press('Play')
  expect(ask('40')).toEqual([25])
  press('Play')
  every.mockRestore()
})
