import { getByRole, waitFor } from '@testing-library/dom'
import { beginMeasurement, finishMeasurement, stage } from '../testing/cornerstone.ts'
import { inATabOfItsOwn, isOff, page } from '../testing/page.ts'

inATabOfItsOwn()

const left = () => [stage.holding, stage.annotations.map(({ annotationUID }) => annotationUID)]

/** Two panes, a finished measurement, and one that was begun in the first pane. */
async function halfMade() {
  const shown = await page({ a: 20, b: 20 })
  await shown.says('11 / 20')
  shown.press('1×2')
  await shown.says('11 / 20', 2)
  beginMeasurement('finished')
  finishMeasurement()
  beginMeasurement('half-made')
  expect(left()).toEqual(['half-made', ['finished', 'half-made']])
  return shown
}
type Shown = Awaited<ReturnType<typeof halfMade>>

it.each<[string, (shown: Shown) => void]>([
  ['Escape', ({ type }) => type('Escape')],
  ['Delete', ({ type }) => type('Delete')],
  ['another tool', ({ press }) => press('Window / level')],
  ['another slice', ({ type }) => type('ArrowDown')],
  ['another series', ({ place }) => getByRole(place, 'button', { name: /^b/ }).click()],
  ['another pane', ({ pane }) => void pane(2).dispatchEvent(new Event('pointerdown'))],
  ['another layout', ({ press }) => press('1×1')],
])(
  'by %s a half-made measurement is gone and the mouse is free, and a finished one stays [7.42]',
  async (_what, act) => {
    act(await halfMade())
    expect(left()).toEqual([undefined, ['finished']])
  },
)

it('the wheel goes to the next slice while a measurement is half-made, and takes that away [7.42]', async () => {
  const { pane, says } = await halfMade()
  const turn = (deltaY: number) => pane().querySelector('.picture')!.dispatchEvent(new WheelEvent('wheel', { deltaY }))
  turn(120)
  await says('12 / 20')
  expect(left()).toEqual([undefined, ['finished']])
  beginMeasurement('again')
  turn(-120)
  await says('11 / 20')
  expect(left()).toEqual([undefined, ['finished']])
})

it('a picture without another slice keeps what is half-made under the wheel, as nothing changes [7.42]', async () => {
  const { pane, says } = await page({ a: 1 })
  await says('1 / 1')
  beginMeasurement('half-made')
  pane()
    .querySelector('.picture')!
    .dispatchEvent(new WheelEvent('wheel', { deltaY: 120 }))
  expect(left()).toEqual(['half-made', ['half-made']])
})

it('Escape ends what is half-made, and after that no measurement that is finished [7.42]', async () => {
  const { place, type } = await halfMade()
  for (let times = 0; times < 2; times += 1) type('Escape')
  expect(left()).toEqual([undefined, ['finished']])
  await waitFor(() => expect(isOff(place, 'Delete measurement')).toBe(false))
})
