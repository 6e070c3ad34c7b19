import { getByLabelText, getByRole, waitFor } from '@testing-library/dom'
import { tag } from '@dmp/dicom'
import { stage } from '../testing/cornerstone.ts'
import { inATabOfItsOwn, isOff, page, pressed } from '../testing/page.ts'

inATabOfItsOwn()

describe('what is done to a picture', () => {
  it('is turned, flipped, inverted, windowed and enlarged, and all of it taken back [7.42]', async () => {
    const { place, press, view, says, type } = await page({ a: 3 })
    await says('Zoom 1.00×')
    await waitFor(() => expect([isOff(place, 'Invert'), pressed(place, 'Invert')]).toEqual([false, 'false']))
    for (const label of ['Rotate left', 'Flip left to right', 'Flip top to bottom', 'Invert']) press(label)
    expect(view().state).toMatchObject({ rotation: 270, flipHorizontal: true, flipVertical: true, invert: true })
    await waitFor(() => expect(pressed(place, 'Invert')).toBe('true'))
    for (const label of ['Rotate right', 'Rotate right', 'Flip left to right', 'Invert']) press(label)
    expect(view().state).toMatchObject({ rotation: 90, flipHorizontal: false, flipVertical: true, invert: false })
    type('1')
    await says('W 400 · L 40')
    type('+')
    await says('Zoom 1.25×')
    for (let times = 0; times < 40; times += 1) type('+')
    await says('Zoom 50.00×')
    view().fits.length = 0
    press('Fit to window')
    expect(view().fits).toEqual([{ resetPan: true, resetZoom: true }])
    press('Flip left to right')
    press('Reset')
    await waitFor(() => expect(view().state).toMatchObject({ rotation: 0, flipHorizontal: false, flipVertical: false }))
  })

  it('is as large as its pane without WebGL, too, where Cornerstone measures in pixels [7.42]', async () => {
    stage.isOnProcessor = true
    const { says, type, view } = await page({ a: 1 })
    await says('Zoom 1.00×')
    type('+')
    await says('Zoom 1.25×')
    expect(view().state.zoom).toBe(25)
  })

  it('says so where it came and cannot be drawn, instead of waiting for ever [7.42]', async () => {
    stage.isUndrawable = true
    const { says } = await page({ a: 1 })
    await says('This kind of image cannot be shown here')
    await says('Download the scan to open it elsewhere.')
  })

  it('is inverted by its header where that says so, and bright on dark counts as inverted then [7.42]', async () => {
    const { place, press, says } = await page(
      { a: 1 },
      { more: { [tag.PhotometricInterpretation]: { Value: ['MONOCHROME1'] } } },
    )
    await says('1 / 1')
    await waitFor(() => expect(pressed(place, 'Invert')).toBe('true'))
    press('Invert')
    await waitFor(() => expect(pressed(place, 'Invert')).toBe('false'))
  })

  it('has the usual windows of CT to choose from, and says which one it has [7.42]', async () => {
    const { place, says, type } = await page({ a: 1 })
    await says('Zoom 1.00×')
    const choice = getByLabelText<HTMLSelectElement>(place, 'Window preset')
    await waitFor(() => expect([choice.hidden, choice.value]).toEqual([false, '']))
    choice.value = 'Brain'
    choice.dispatchEvent(new Event('change'))
    await says('W 80 · L 40')
    await waitFor(() => expect(choice.value).toBe('Brain'))
    type('2')
    await says('W 1500 · L -600')
    await waitFor(() => expect(choice.value).toBe('Lung'))
    type('4')
    await waitFor(() => expect(choice.value).toBe('Brain'))
  })

  it('has none of the windows of CT where it is none [7.42]', async () => {
    const { place, says, type } = await page({ a: 1 }, { modality: 'MR' })
    await says('W 100 · L 50')
    await waitFor(() => expect(getByLabelText(place, 'Window preset')).toHaveProperty('hidden', true))
    type('1')
    await says('W 100 · L 50')
  })

  it('waits for a picture: until then its tools are off and do nothing [7.42]', async () => {
    stage.isSlow = true
    const { place, press, view, says } = await page({ a: 3 })
    await says('Loading slice')
    expect([isOff(place, 'Invert'), isOff(place, 'Delete measurement'), pressed(place, 'Invert')]).toEqual([
      true,
      true,
      'false',
    ])
    press('Rotate left')
    expect(view().state.rotation).toBe(0)
  })

  it('keeps a measurement until Delete or Backspace [7.42]', async () => {
    const { says, type } = await page({ a: 1 })
    await says('1 / 1')
    stage.annotations = [{ annotationUID: 'one' }, { annotationUID: 'two' }]
    type('Delete')
    expect(stage.annotations).toEqual([{ annotationUID: 'one' }])
    type('Backspace')
    expect(stage.annotations).toEqual([])
  })

  it('loses the measurements that are selected, and no other, also where another was drawn last [7.42]', async () => {
    const { says, type } = await page({ a: 1 })
    await says('1 / 1')
    stage.annotations = ['one', 'two', 'three', 'four'].map((annotationUID) => ({ annotationUID }))
    stage.selected = ['one', 'three']
    type('Delete')
    expect(stage.annotations.map(({ annotationUID }) => annotationUID)).toEqual(['two', 'four'])
  })

  it('is given no window by a key before it is there: it comes with its own [7.42]', async () => {
    stage.isSlow = true
    const { says, type, turn } = await page({ a: 1 })
    await says('Loading slice 1 …')
    await turn()
    type('2')
    stage.asked[0]!.answer()
    await says('W 100 · L 50')
  })

  it.each([
    ['has too few pixels', () => (stage.isDamaged = true), {}],
    ['is of another height than its header says', () => undefined, { [tag.Rows]: { Value: [5] } }],
  ])('is not shown where it came and %s [7.42, P28]', async (_what, go, more) => {
    go()
    const { says, view } = await page({ a: 1 }, { more })
    await says('This image cannot be read')
    expect([view().state.index, stage.dropped.length]).toEqual([-1, 1])
  })

  it('takes away nothing that stands in its place when it cannot be drawn after all [7.42]', async () => {
    const { promise, reject } = Promise.withResolvers()
    stage.drawing = promise
    const { place, says, pane, turn, type } = await page({ a: 1, b: 3 })
    await says('1 / 1')
    stage.drawing = undefined
    getByRole(place, 'button', { name: /^b/ }).click()
    await says('2 / 3')
    await says('Zoom 1.00×')
    const later = Promise.withResolvers()
    stage.drawing = later.promise
    type('End')
    await says('3 / 3')
    stage.drawing = undefined
    type('Home')
    await says('1 / 3')
    for (const fail of [reject, later.reject]) fail(new TypeError('odd'))
    await turn()
    await turn()
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', true)
    expect(pane()).not.toHaveClass('behind')
    expect(pane()).toHaveTextContent('1 / 3')
  })
})
