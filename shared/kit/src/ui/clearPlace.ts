import { direction } from '../language/language.ts'

/** In px of the window; `end` is the distance from the edge where lines end. */
export interface Place {
  readonly top: number
  readonly end: number
  readonly width: number
}

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

const gap = 4
const margin = 16
const step = 8
const mostWidth = 380
const leastWidth = 240
/** Below the bar at the top of the page. */
const firstTop = 64

const buttons = 'button, summary, select, input, textarea, [role="button"]'
/** What is read now; a dialog leaves little room beside itself in a narrow window. */
const dialogs = '[role="dialog"]'

/** What can be seen of these, wherever something lies over it. */
function listBoxes(of: string, except: Element): Box[] {
  return [...document.querySelectorAll(of)].flatMap((element) => {
    if (except.contains(element)) return []
    const box = element.getBoundingClientRect()
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    // What is scrolled out of its box has a place, too.
    return document.elementsFromPoint(x, y).includes(element) ? [box] : []
  })
}

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The place of this height where no button lies: as far up as there is one, and there as near to the end as can be. */
function findPlace(taken: readonly Box[], height: number): Place | undefined {
  const width = document.documentElement.clientWidth
  for (let top = firstTop; top + height <= window.innerHeight; top += step) {
    const beside = taken
      .filter((box) => box.top < top + height + gap && box.bottom > top - gap)
      .toSorted((a, b) => b.right - a.right)
    let right = width - margin
    for (const box of [...beside, { left: 0, right: margin - gap }]) {
      const room = right - (box.right + gap)
      if (room >= leastWidth) return { top, end: width - right, width: Math.min(mostWidth, room) }
      right = Math.min(right, box.left - gap)
    }
  }
  return undefined
}

/** From right to left everything stands the other way round. */
function turn({ left, right, top, bottom }: Box): Box {
  const width = document.documentElement.clientWidth
  return { left: width - right, right: width - left, top, bottom }
}

/**
 * Puts the box, whose children stand below each other, where it covers no button, and no dialog where there is room
 * beside it: as many of its last children as there is room for. What is pointed at or has the focus stays where it is.
 */
export function placeClear(box: HTMLElement): void {
  // Without a layout, as where tests draw the page, there is nothing to measure.
  if (!document.elementsFromPoint || box.matches(':hover, :focus-within')) return
  const [taken, toRead] = [listBoxes(buttons, box), listBoxes(dialogs, box)]
  const cards = [...box.children].filter((card) => card instanceof HTMLElement)
  const covers = cards.some((card) => [...taken, ...toRead].some((each) => meet(card.getBoundingClientRect(), each)))
  if (box.style.top !== '' && !covers && cards.every(({ hidden }) => !hidden)) return
  for (const card of cards) card.hidden = false
  const [turned, turnedToRead] = direction() === 'rtl' ? [taken.map(turn), toRead.map(turn)] : [taken, toRead]
  for (const [first] of cards.entries()) {
    const heights = cards.slice(first).map(({ offsetHeight }) => offsetHeight)
    const height = heights.reduce((sum, each) => sum + each + step, -step)
    const place = findPlace([...turned, ...turnedToRead], height) ?? findPlace(turned, height)
    cards.forEach((card, index) => {
      card.hidden = index < first
    })
    if (!place) continue
    Object.assign(box.style, { top: `${place.top}px`, insetInlineEnd: `${place.end}px`, width: `${place.width}px` })
    return
  }
  box.removeAttribute('style')
}
