import { placeClear } from './clearPlace.ts'

let mockDirection = 'ltr'
jest.mock('../language/language.ts', () => ({
  ...jest.requireActual<object>('../language/language.ts'),
  direction: () => mockDirection,
}))

type Rect = readonly [left: number, top: number, right: number, bottom: number]
const [width, height] = [1024, 400]
const rects = new Map<Element, Rect>()
/** What lies under others, or is scrolled out of its box. */
const unseen = new Set<Element>()

/** A page without a layout gets one. */
beforeEach(() => {
  mockDirection = 'ltr'
  rects.clear()
  unseen.clear()
  document.body.replaceChildren()
  Object.defineProperty(document.documentElement, 'clientWidth', { configurable: true, value: width })
  jest.replaceProperty(globalThis.window, 'innerHeight', height)
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
    const [left, top, right, bottom] = rects.get(this) ?? [0, 0, 0, 0]
    return { left, top, right, bottom } as DOMRect
  })
  jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
  Object.assign(document, {
    elementsFromPoint: (x: number, y: number) =>
      [...rects]
        .filter(([element, [left, top, right, bottom]]) => {
          return !unseen.has(element) && x >= left && x <= right && y >= top && y <= bottom
        })
        .map(([element]) => element),
  })
})
afterEach(() => {
  jest.restoreAllMocks()
  Reflect.deleteProperty(document, 'elementsFromPoint')
  Reflect.deleteProperty(document.documentElement, 'clientWidth')
})

function add(html: string, rect: Rect, parent: Element = document.body): HTMLElement {
  parent.insertAdjacentHTML('beforeend', html)
  const element = parent.lastElementChild as HTMLElement
  rects.set(element, rect)
  return element
}
const button = (...rect: Rect) => add('<button></button>', rect)
const addNotices = (count = 1) => {
  const box = add('<section></section>', [0, 0, 0, 0])
  for (let card = 0; card < count; card += 1) add('<div></div>', [600, 64, 1000, 114], box)
  return box
}
const placeOf = ({ style }: HTMLElement) => [style.top, style.insetInlineEnd, style.width]
const hiddenOf = (box: HTMLElement) => [...box.children].map((card) => (card as HTMLElement).hidden)

describe('where notices stand', () => {
  it.each<[string, Rect[], string[]]>([
    ['at the upper end of the page', [], ['64px', '16px', '380px']],
    ['beside a button there', [[900, 60, 1000, 100]], ['64px', '128px', '380px']],
    ['where a button ends above them', [[900, 20, 1000, 60]], ['64px', '16px', '380px']],
    ['where a button begins below them', [[900, 118, 1000, 150]], ['64px', '16px', '380px']],
    ['beside one that begins a little higher', [[900, 117, 1000, 150]], ['64px', '128px', '380px']],
    ['below a row of buttons', [[0, 60, 1024, 120]], ['128px', '16px', '380px']],
    [
      'between two buttons, as wide as there is room',
      [
        [0, 60, 600, 100],
        [900, 60, 1000, 100],
      ],
      ['64px', '128px', '292px'],
    ],
    [
      'in no room that is too narrow',
      [
        [0, 60, 653, 100],
        [900, 60, 1024, 100],
      ],
      ['104px', '16px', '380px'],
    ],
  ])('is %s', (_where, buttons, place) => {
    for (const rect of buttons) button(...rect)
    const box = addNotices()
    placeClear(box)
    expect(placeOf(box)).toEqual(place)
  })

  it('is at the other side from right to left', () => {
    mockDirection = 'rtl'
    button(24, 60, 124, 100)
    const box = addNotices()
    placeClear(box)
    expect(placeOf(box)).toEqual(['64px', '128px', '380px'])
  })

  it('does not depend on buttons that nobody sees, nor on its own', () => {
    unseen.add(button(900, 60, 1000, 100))
    const box = addNotices()
    add('<button></button>', [960, 70, 990, 100], box.firstElementChild!)
    placeClear(box)
    expect(placeOf(box)).toEqual(['64px', '16px', '380px'])
  })

  it('covers no dialog while there is room beside it, and no button of one that fills the page', () => {
    const dialog = add('<div role="dialog"></div>', [300, 50, 1024, 350])
    const box = addNotices()
    placeClear(box)
    expect(placeOf(box)).toEqual(['64px', '728px', '280px'])
    rects.set(dialog, [0, 0, width, height])
    button(900, 60, 1000, 100)
    box.removeAttribute('style')
    placeClear(box)
    expect(placeOf(box)).toEqual(['64px', '128px', '380px'])
  })

  it('shows as many of the newest as there is room for, and none where there is none', () => {
    button(0, 60, 1024, 280)
    const box = addNotices(3)
    placeClear(box)
    // From 288 on: two of 50 with 8 in between would end below the window.
    expect([hiddenOf(box), box.style.top]).toEqual([[true, false, false], '288px'])
    button(0, 281, 1024, 330)
    placeClear(box)
    expect([hiddenOf(box), box.style.top]).toEqual([[true, true, false], '336px'])
    button(0, 331, 1024, 400)
    placeClear(box)
    expect(box.hasAttribute('style')).toBe(false)
  })

  it('stays as it is while it is pointed at, and where it covers nothing', () => {
    const box = addNotices()
    box.style.top = '200px'
    placeClear(box)
    expect(box.style.top).toBe('200px')
    const [left, top, right, bottom] = [600, 64, 1000, 114]
    for (const beside of [
      [left - 50, top, left, bottom],
      [right, top, right + 20, bottom],
      [left, top - 20, right, top],
      [left, bottom, right, bottom + 20],
    ] as const) {
      button(...beside)
      placeClear(box)
      expect(box.style.top).toBe('200px')
    }
    button(900, 70, 950, 100)
    const pointed = jest.spyOn(box, 'matches').mockReturnValue(true)
    placeClear(box)
    expect(box.style.top).toBe('200px')
    pointed.mockRestore()
    placeClear(box)
    expect(box.style.top).not.toBe('200px')
  })

  it('is looked for again where one of them was hidden for want of room', () => {
    const box = addNotices(2)
    box.style.top = '200px'
    ;(box.firstElementChild as HTMLElement).hidden = true
    placeClear(box)
    expect([hiddenOf(box), box.style.top]).toEqual([[false, false], '64px'])
  })
})
