import { getByRole, queryByRole } from '@testing-library/dom'
import { keepPlaces } from './keptPlace.ts'
import { inATabOfItsOwn, page, pressed } from './testing/page.ts'

inATabOfItsOwn()
const series = { a: 20, b: 20 }

it('a release keeps no place in the browser', async () => {
  const { leave, says } = await page(series)
  await says('11 / 20')
  dispatchEvent(new Event('pagehide'))
  leave()
  expect(sessionStorage.length).toBe(0)
  expect(getByRole(document.body, 'toolbar')).toBeInTheDocument()
})

/** Somebody goes to slice 3 of the second series in the second of two panes, and measures. */
async function lookAround() {
  const shown = await page(series)
  await shown.says('11 / 20')
  shown.press('1×2')
  await shown.says('Zoom 1.00×', 2)
  shown.pane(2).dispatchEvent(new Event('pointerdown'))
  shown.press('Length')
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', '+', '+', 'i', ']']) shown.type(key)
  await shown.says('Zoom 1.56×', 2)
  await shown.says('3 / 20', 2)
  return shown
}

describe('the viewer of npm run dev', () => {
  beforeAll(keepPlaces)

  it.each([
    ['taken down', () => undefined],
    ['loaded anew', () => dispatchEvent(new Event('pagehide'))],
  ])('is where it was after it was %s: panes, series, slices, zoom, look, tool and open help', async (_what, tell) => {
    const first = await lookAround()
    first.press('Keyboard and mouse')
    tell()
    first.leave()
    first.place.remove()
    const { place, says, view, pane } = await page(series)
    await says('11 / 20', 1)
    await says('3 / 20', 2)
    await says('Zoom 1.56×', 2)
    expect(view(2).state).toMatchObject({ invert: true, rotation: 90 })
    expect(view(1).state).toMatchObject({ invert: false, rotation: 0 })
    expect([pressed(place, '1×2'), pressed(place, 'Length')]).toEqual(['true', 'true'])
    expect([pane(2).getAttribute('aria-current'), place.querySelector('dialog')?.open]).toEqual(['true', true])
  })

  it('opens another study where that opens', async () => {
    const first = await lookAround()
    first.leave()
    first.place.remove()
    history.replaceState(null, '', '?studyInstanceUIDs=1.2')
    const { says, place } = await page(series)
    await says('11 / 20')
    expect(queryByRole(place, 'region', { name: 'Image 2' })).toBeNull()
    history.replaceState(null, '', '?')
  })

  it('does no more once it was taken down: no key, no window, no picture is its own', async () => {
    const { leave, type, place } = await lookAround()
    leave()
    const before = place.textContent
    for (const key of ['ArrowDown', '?', 'i']) type(key)
    dispatchEvent(new Event('online'))
    document.dispatchEvent(new Event('fullscreenchange'))
    expect([place.textContent, place.querySelector('dialog')?.open ?? false]).toEqual([before, false])
  })
})
