import { scan } from '@dmp/contract'
import { aHeldPicture, aHeldScanDetail, aScanRow, aTransfer, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const held = aHeldScanDetail()
const picture = 'data:image/png;base64,iVBORw0KGgo='
const shown = answer(scan.getHeldPicture, { picture, problem: null })
const draw = (detail = held, lines: readonly Line[] = [shown], as: 'admin' | 'staff' = 'admin') =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/held/${held.id}`,
    as,
    answers: [answer(scan.getHeld, detail), answer(scan.saveHeldChoice, null), ...lines],
  })
/** Browsers say that a picture has been drawn; this one draws none. */
const see = async (name: string) => fireEvent.load(await screen.findByRole('img', { name }))
const sendButton = () => screen.getByRole('button', { name: /send$/ })

describe('looking at held pictures [P36]', () => {
  it('sends nothing before each of them has been on the screen', async () => {
    const { user, calls } = draw()
    await see('Picture 1')
    expect(screen.getByText('1 of 2 pictures seen. Look at all of them before you send them.')).toBeVisible()
    expect(sendButton()).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(calls(scan.getHeldPicture)).toHaveLength(2)
    await see('Picture 2, frame 1')
    expect(screen.getByText('2 of 2 pictures seen.')).toBeVisible()
    expect(sendButton()).toBeEnabled()
    expect(sendButton()).toHaveTextContent('Nothing to hide: send')
  })

  it('asks for no picture that nobody looks at, and leads to every frame and to all values', async () => {
    const { user, calls } = draw()
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Next that nobody has seen' }))
    await see('Picture 2, frame 1')
    fireEvent.change(screen.getByRole('slider', { name: 'Frame 1 of 3' }), { target: { value: '3' } })
    await see('Picture 2, frame 3')
    await user.click(screen.getByRole('button', { name: 'Show every shade' }))
    await see('Picture 2, frame 3')
    expect(calls(scan.getHeldPicture).map(({ instanceUID, frame, values }) => [instanceUID, frame, values])).toEqual([
      ['2.25.300', '1', 'stated'],
      ['2.25.301', '1', 'stated'],
      ['2.25.301', '3', 'stated'],
      ['2.25.301', '3', 'all'],
    ])
  })

  it('adds a rectangle without a pointer, once for a hurried person', async () => {
    const { user, calls } = draw()
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Add rectangle' }))
    const band = { x: 0, y: 0, width: 640, height: 48 }
    await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks[0]?.rectangles).toEqual([band]))
    expect(screen.getByRole('button', { name: /^Rectangle \d:/ })).toHaveAccessibleName(
      'Rectangle 1: 0 from the left, 0 from the top, 640 wide, 48 high',
    )
  })

  it('moves, resizes and removes rectangles with the keyboard alone, and keeps each change', async () => {
    const band = { x: 0, y: 0, width: 640, height: 48 }
    const { user, calls } = draw(aHeldScanDetail({ masks: [{ rows: 480, columns: 640, rectangles: [band] }] }))
    await see('Picture 1')
    const rectangle = () => screen.getByRole('button', { name: /^Rectangle 1:/ })
    rectangle().focus()
    await user.keyboard('{Shift>}{ArrowLeft}{ArrowDown}{/Shift}{ArrowRight}{ArrowDown}{Control>}{ArrowDown}{/Control}')
    expect(rectangle()).toHaveAccessibleName('Rectangle 1: 1 from the left, 33 from the top, 639 wide, 49 high')
    const width = screen.getByRole('spinbutton', { name: 'Width' })
    await user.clear(width)
    await user.type(width, '100')
    expect(rectangle()).toHaveAccessibleName(/100 wide/)
    // One call at a time, the newest last.
    await waitFor(() =>
      expect(calls(scan.saveHeldChoice).at(-1)).toEqual({
        id: held.id,
        masks: [{ rows: 480, columns: 640, rectangles: [{ x: 1, y: 33, width: 100, height: 49 }] }],
        leftOut: [],
      }),
    )
    expect(sendButton()).toHaveTextContent('Mask and send')
    rectangle().focus()
    await user.keyboard('{Delete}')
    expect(screen.queryByRole('button', { name: /^Rectangle 1:/ })).not.toBeInTheDocument()
    await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks).toEqual([]))
  })

  it('draws and moves rectangles with the pointer, in the pixels of the picture', async () => {
    const { calls } = draw()
    await see('Picture 1')
    const layer = screen.getByRole('group', { name: 'Rectangles on the picture' })
    layer.getBoundingClientRect = () => new DOMRect(100, 50, 320, 240)
    layer.setPointerCapture = () => undefined
    const point = (element: Element, type: string, clientX: number, clientY: number) =>
      fireEvent(element, new MouseEvent(`pointer${type}`, { bubbles: true, clientX, clientY }))
    point(layer, 'down', 110, 60)
    point(layer, 'move', 150, 70)
    point(layer, 'up', 160, 80)
    const rectangle = screen.getByRole('button', { name: /^Rectangle 1:/ })
    expect(rectangle).toHaveAccessibleName('Rectangle 1: 20 from the left, 20 from the top, 100 wide, 40 high')
    point(rectangle, 'down', 120, 65)
    point(layer, 'up', 220, 165)
    expect(rectangle).toHaveAccessibleName('Rectangle 1: 220 from the left, 220 from the top, 100 wide, 40 high')
    // A click is no rectangle.
    point(layer, 'down', 300, 200)
    point(layer, 'up', 300, 201)
    expect(screen.getAllByRole('button', { name: /^Rectangle \d:/ })).toHaveLength(1)
    // What the browser takes for itself, as by a second finger, was never drawn, and nothing was moved.
    for (const element of [layer, rectangle]) {
      point(element, 'down', 110, 60)
      point(layer, 'move', 180, 120)
      point(layer, 'cancel', 180, 120)
      point(layer, 'up', 200, 140)
    }
    expect(screen.getAllByRole('button', { name: /^Rectangle \d:/ })).toEqual([rectangle])
    expect(rectangle).toHaveAccessibleName('Rectangle 1: 220 from the left, 220 from the top, 100 wide, 40 high')
    const moved = [{ x: 220, y: 220, width: 100, height: 40 }]
    await waitFor(() => expect(calls(scan.saveHeldChoice).at(-1)?.masks[0]?.rectangles).toEqual(moved))
  })

  it('goes on where somebody left off, and shows the rectangles on all pictures of the size', async () => {
    const masks = [{ rows: 480, columns: 640, rectangles: [{ x: 1, y: 2, width: 3, height: 4 }] }]
    const heldPictures = held.heldPictures.map((each) => ({ ...each, isSeen: true }))
    const { user } = draw(aHeldScanDetail({ masks, heldPictures, leftOut: ['2.25.301'] }))
    await see('Picture 1')
    expect(screen.getByText('2 of 2 pictures seen.')).toBeVisible()
    expect(screen.getByText('For all 2 pictures of 640 × 480 pixels, in every frame.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await see('Picture 2, frame 1')
    expect(screen.getByRole('button', { name: /^Rectangle 1: 1 from the left/ })).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Leave this picture out' })).toBeChecked()
  })

  it('wants nobody to look at a picture that is left out, as far as that is not sent', async () => {
    const { user } = draw()
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByRole('img', { name: 'Picture 2, frame 1' })
    expect(sendButton()).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: 'Leave this picture out' }))
    await waitFor(() => expect(sendButton()).toBeEnabled())
    expect(screen.getByText('1 of 2 pictures seen.')).toBeVisible()
  })

  it('says once more what goes where, sends it, and goes back to the list', async () => {
    const heldPictures = held.heldPictures.map((each) => ({ ...each, isSeen: true }))
    const masks = [{ rows: 480, columns: 640, rectangles: [{ x: 1, y: 2, width: 3, height: 4 }] }]
    const { user, calls } = draw(aHeldScanDetail({ heldPictures, masks }), [
      shown,
      answer(scan.decideHeld, null),
      answer(scan.listHeld, { rows: [], total: 0 }),
    ])
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Mask and send' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Send the scan' }))
    for (const text of ['South-Clinic', '2 pictures of 2 are sent', '1 rectangle, in 2 pictures'])
      expect(dialog.getByText(text)).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('No pictures wait for a look.')).toBeVisible()
    expect(calls(scan.decideHeld)).toEqual([
      { id: held.id, revision: 'the first', decision: 'Send', masks, leftOut: [], isSeenElsewhere: false },
    ])
  })

  it('leaves the scan out without a look, after a question, and says why where the server refuses', async () => {
    const { user, calls } = draw(held, [
      shown,
      answer(scan.decideHeld, new CallError(409, 'ALREADY_DECIDED', 'Too late.')),
    ])
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Leave the scan out' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave the scan out' }))
    await user.click(dialog.getByRole('button', { name: 'Leave out' }))
    expect(await dialog.findByText('Too late.')).toBeInTheDocument()
    expect(calls(scan.decideHeld)[0]).toMatchObject({ decision: 'LeaveOut' })
  })

  it('wants to be told that pictures which cannot be shown were looked at elsewhere', async () => {
    const video = aHeldPicture({ reason: 'Video', canMask: false })
    const { user } = draw(aHeldScanDetail({ heldPictures: [video], pictures: 1 }), [
      answer(scan.getHeldPicture, { picture: null, problem: 'Videos cannot be shown yet.' }),
    ])
    expect(await screen.findByText('Videos cannot be shown yet.')).toBeVisible()
    expect(screen.getByText(/No part of this picture can be blackened/)).toBeVisible()
    await user.click(sendButton())
    const dialog = within(await screen.findByRole('dialog', { name: 'Send the scan' }))
    expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: /I looked at them elsewhere/ }))
    expect(dialog.getByRole('button', { name: 'Send' })).toBeEnabled()
  })

  it('offers nothing but leaving out where the scan was deleted', async () => {
    draw(aHeldScanDetail({ heldPictures: [], pictures: 0 }))
    expect(await screen.findByText('The scan was deleted. Nothing can be sent: leave it out.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /send$/ })).not.toBeInTheDocument()
  })

  it('says what could not be kept', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at: `/scan/held/${held.id}`,
      as: 'admin',
      answers: [
        answer(scan.getHeld, held),
        shown,
        answer(scan.saveHeldChoice, new CallError(409, 'ALREADY_DECIDED', 'Somebody has decided already.')),
      ],
    })
    await see('Picture 1')
    await user.click(screen.getByRole('button', { name: 'Add rectangle' }))
    expect(await screen.findByText('Somebody has decided already.')).toBeVisible()
  })

  it('tells those without the right whom to ask', async () => {
    draw(held, [], 'staff')
    expect(await screen.findByText(/not allowed to transfer scans/)).toBeVisible()
  })
})

it('is reached from a transfer that waits, whose state says so', async () => {
  const [first] = aTransfer().scans
  if (!first) throw new Error('a transfer without scans')
  const waiting = aTransfer({
    id: '00000000-0000-4000-8000-0000000000d1',
    scans: [{ ...first, state: 'Queued', message: 'Held back.', held: { id: held.id, pictures: 2 } }],
  })
  const { user } = renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, [waiting]),
      answer(scan.listTransferScans, { organizationId: northClinic.id, scans: [aScanRow()] }),
      answer(scan.listFilters, []),
    ],
  })
  const table = within(await screen.findByRole('table', { name: 'Transfers' }))
  expect(table.getByText('Held')).toBeVisible()
  expect(table.getByText('1 scan, 1 held')).toBeVisible()
  await user.click(table.getByRole('button', { name: 'Details' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Transfer to South-Clinic' }))
  expect(dialog.getByRole('link', { name: 'Look at the pictures' })).toHaveAttribute('href', `/scan/held/${held.id}`)
})
