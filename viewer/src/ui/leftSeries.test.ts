import { getByRole, waitFor } from '@testing-library/dom'
import { beginMeasurement, finishMeasurement } from '../testing/cornerstone.ts'
import { inATabOfItsOwn, isOff, page } from '../testing/page.ts'

inATabOfItsOwn()

/** Somebody goes to slice 3 of the first series, and changes how it looks. */
async function lookAround() {
  const shown = await page({ a: 20, b: 30 })
  await shown.says('Zoom 1.00×')
  await waitFor(() => expect(isOff(shown.place, 'Reset')).toBe(false))
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', '+', '+', '2', 'i', ']']) shown.type(key)
  await shown.says('3 / 20')
  await shown.says('W 1500 · L -600')
  const open = (uid: string) => getByRole(shown.place, 'button', { name: new RegExp(`^${uid}`) }).click()
  const isAsItWas = async () => {
    await shown.says('3 / 20')
    await shown.says('Zoom 1.56×')
    await shown.says('W 1500 · L -600')
    expect(shown.view().state).toMatchObject({ invert: true, rotation: 90 })
  }
  return { ...shown, open, isAsItWas }
}

it('a series that somebody comes back to has its slice, window, zoom and look, and another one its own [7.42]', async () => {
  const { says, open, isAsItWas, view } = await lookAround()
  open('b')
  await says('16 / 30')
  await says('Zoom 1.00×')
  expect(view().state).toMatchObject({ invert: false })
  open('a')
  await isAsItWas()
})

it('so has one whose pane was closed meanwhile [7.42]', async () => {
  const { says, open, press, pane, type, isAsItWas } = await lookAround()
  press('1×2')
  await says('16 / 30', 2)
  pane(2).dispatchEvent(new Event('pointerdown'))
  type('Home')
  await says('1 / 30', 2)
  press('1×1')
  open('b')
  await says('1 / 30')
  open('a')
  await isAsItWas()
})

it('whoever leaves the page with measurements is asked, and nobody else [7.42]', async () => {
  const { place, leave } = await lookAround()
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const asked = [isAsked()]
  beginMeasurement('one')
  asked.push(isAsked())
  finishMeasurement()
  asked.push(isAsked())
  // The session has ended: another text takes the place of the pictures, and the page is loaded anew.
  const parts = [...place.childNodes]
  place.replaceChildren()
  asked.push(isAsked())
  place.replaceChildren(...parts)
  leave()
  asked.push(isAsked())
  expect(asked).toEqual([false, false, true, false, false])
})
