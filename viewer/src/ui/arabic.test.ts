import { getByRole } from '@testing-library/dom'
import type * as testing from '../testing/page.ts'

// The language is decided as the first module runs.
localStorage.setItem('preference:language', 'ar')
const { inATabOfItsOwn, page, resize } = jest.requireActual<typeof testing>('../testing/page.ts')

inATabOfItsOwn()

describe('a page that is written from right to left', () => {
  it('is walked the other way by the arrows of its toolbar [P29]', async () => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    getByRole(place, 'toolbar').querySelector('button')!.focus()
    const names = ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'Home', 'End'].map((key) => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      return document.activeElement!.getAttribute('aria-label')
    })
    expect(names).toEqual(['Scroll', 'Window / level', 'All commands', 'Window / level', 'All commands'])
  })

  it.each([
    [120, 3],
    [119, 3],
    [118.9, 2],
  ])('leaves out, of a row of %d px, what stands beyond its left end [P29]', async (width, count) => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    const controls = [...getByRole(place, 'toolbar').querySelectorAll<HTMLElement>('.tools :is(button, select, input)')]
    const boxes = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const at = controls.indexOf(this as HTMLElement)
      return DOMRect.fromRect(at < 0 ? { x: 500 - width, width } : { x: 500 - (at + 1) * 40, width: 40 })
    })
    resize()
    boxes.mockRestore()
    expect(controls.findIndex((each) => each.classList.contains('over'))).toBe(count)
  })
})
