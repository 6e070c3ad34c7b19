import { scan } from '@dmp/contract'
import { aHeldPicture, aHeldScanDetail } from '@dmp/contract/examples'
import type { HeldScanDetail, Rectangle } from '@dmp/contract/scan'
import { answer, renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const picture = 'data:image/png;base64,iVBORw0KGgo='
const [first, second]: readonly Rectangle[] = [
  { x: 10, y: 10, width: 50, height: 20 },
  { x: 10, y: 100, width: 50, height: 20 },
]
const maskOf = (...rectangles: Rectangle[]) => [{ rows: 480, columns: 640, rectangles }]
const draw = (over: Partial<HeldScanDetail>) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/held/${aHeldScanDetail().id}`,
    as: 'admin',
    answers: [
      answer(scan.getHeld, aHeldScanDetail(over)),
      answer(scan.saveHeldChoice, null),
      answer(scan.getHeldPicture, { picture, problem: null }),
    ],
  })
const see = async () => fireEvent.load(await screen.findByRole('img', { name: /^Picture 1/ }))
const onPicture = () =>
  screen.queryAllByRole('button', { name: /^Rectangle \d+:/ }).map((each) => each.getAttribute('aria-label'))
const named = ({ x, y, width, height }: Rectangle, number: number) =>
  `Rectangle ${number}: ${x} from the left, ${y} from the top, ${width} wide, ${height} high`
const press = (element: Element, type: string, [clientX, clientY]: readonly [number, number], button = 0) =>
  fireEvent(element, new MouseEvent(`pointer${type}`, { bubbles: true, clientX, clientY, button }))

/** The layer over the picture, of as many pixels on the screen as the picture has. */
function layerOf() {
  const layer = screen.getByRole('group', { name: 'Rectangles on the picture' })
  layer.getBoundingClientRect = () => new DOMRect(0, 0, 640, 480)
  layer.setPointerCapture = () => undefined
  return layer
}

describe('a second rectangle [P36]', () => {
  it.each([
    ['{Backspace}', undefined],
    ['{Delete}', undefined],
    ['{ArrowRight}', { ...second!, x: 11 }],
    ['{Alt>}{ArrowDown}{/Alt}', { ...second!, y: 132 }],
    ['{Enter}', second!],
  ])('is the one that %s is about, and the first stays', async (key, after) => {
    const { user, calls } = draw({ masks: maskOf(first!, second!) })
    await see()
    screen.getByRole('button', { name: /^Rectangle 2:/ }).focus()
    await user.keyboard(key)
    const left = after ? [first!, after] : [first!]
    expect(onPicture()).toEqual(left.map((each, at) => named(each, at + 1)))
    if (after !== second) await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks).toEqual(maskOf(...left)))
  })

  it('is moved by the pointer, changed by its numbers and removed by its button alone', async () => {
    const { user, calls } = draw({ masks: maskOf(first!, second!) })
    await see()
    const layer = layerOf()
    press(screen.getByRole('button', { name: /^Rectangle 2:/ }), 'down', [20, 110])
    press(layer, 'up', [25, 112])
    expect(onPicture()).toEqual([named(first!, 1), named({ ...second!, x: 15, y: 102 }, 2)])
    fireEvent.change(screen.getAllByRole('spinbutton', { name: 'Top' })[1]!, { target: { value: '200' } })
    expect(onPicture()).toEqual([named(first!, 1), named({ ...second!, x: 15, y: 200 }, 2)])
    await user.click(screen.getByRole('button', { name: 'Remove rectangle 1' }))
    const left = { ...second!, x: 15, y: 200 }
    expect(onPicture()).toEqual([named(left, 1)])
    await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks).toEqual(maskOf(left)))
  })
})

it('a hurried person’s second click on Remove takes nothing more away: what it hid stays hidden [P36]', async () => {
  const { user, calls } = draw({ masks: maskOf(first!, second!) })
  await see()
  await user.dblClick(screen.getByRole('button', { name: 'Remove rectangle 1' }))
  // Two clicks at one place: the next one has moved there.
  fireEvent.click(screen.getByRole('button', { name: 'Remove rectangle 1' }), { detail: 2 })
  expect(onPicture()).toEqual([named(second!, 1)])
  expect(screen.getByRole('button', { name: 'Add rectangle' })).toHaveFocus()
  await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks).toEqual(maskOf(second!)))
})

describe('a rectangle that is drawn [P36]', () => {
  it.each([
    ['of three pixels each way', [13, 13], 0, true],
    ['too low', [60, 12], 0, false],
    ['too narrow', [12, 60], 0, false],
    ['with the other button', [60, 60], 2, false],
  ] as const)('%s', async (_, to, button, isDrawn) => {
    draw({})
    await see()
    const layer = layerOf()
    press(layer, 'down', [10, 10], button)
    press(layer, 'up', to, button)
    expect(onPicture()).toHaveLength(isDrawn ? 1 : 0)
  })

  it.each([
    [63, 64, true],
    [64, 64, false],
  ])('beside %d others makes %d', async (before, after, isAdded) => {
    draw({ masks: maskOf(...Array.from({ length: before }, (_, n) => ({ ...first!, y: n }))) })
    await see()
    expect(screen.getByRole('button', { name: 'Add rectangle' }).hasAttribute('disabled')).toBe(!isAdded)
    const layer = layerOf()
    press(layer, 'down', [10, 10])
    press(layer, 'up', [60, 60])
    expect(onPicture()).toHaveLength(after)
  })
})

describe('what is sent of a held scan [P36]', () => {
  it('is nothing where every picture is left out', async () => {
    draw({ heldPictures: [aHeldPicture({ isSeen: true })], pictures: 1, leftOut: [aHeldPicture().instanceUID] })
    await see()
    expect(screen.getByRole('button', { name: /send$/ })).toBeDisabled()
  })

  it('says of every shade whether it is shown, and names a scan of which nothing is known', async () => {
    const { user } = draw({ patientName: null, modality: '', description: '' })
    await see()
    expect(screen.getByText('No name').closest('p')).toHaveTextContent('No nameto South-ClinicOpen the scan')
    const shade = screen.getByRole('button', { name: 'Show every shade' })
    expect(shade).toHaveAttribute('aria-pressed', 'false')
    await user.click(shade)
    expect(shade).toHaveAttribute('aria-pressed', 'true')
    await user.click(shade)
    expect(shade).toHaveAttribute('aria-pressed', 'false')
  })
})
