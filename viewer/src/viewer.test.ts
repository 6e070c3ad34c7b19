import { getByLabelText, getByRole, queryByRole, waitFor } from '@testing-library/dom'
import { tag, type Dataset } from './dicomweb/dataset.ts'
import type { SeriesEntry } from './study/series.ts'
import { Study } from './study/Study.ts'
import { icons } from './ui/icons.ts'
import { clearStage, core, imageLoading, stage, tools } from './testing/cornerstone.ts'

// The page as a person has it.
jest.doMock('@cornerstonejs/core', core)
jest.doMock('@cornerstonejs/dicom-image-loader', imageLoading)
jest.doMock('@cornerstonejs/tools', tools)

let observed: (() => void) | undefined
const listening = jest.spyOn(document, 'addEventListener')
const image = (uid: string, more: Dataset = {}): Dataset => ({ [tag.sopInstanceUid]: { Value: [uid] }, [tag.rows]: { Value: [4] }, [tag.columns]: { Value: [8] }, ...more })
const entry = (uid: string, more: Partial<SeriesEntry> = {}): SeriesEntry => ({ studyUid: '1', uid, modality: 'CT', description: uid, number: 1, instanceCount: 1, ...more })

/** Shows the page for series of so many pictures each. */
async function page(counts: Record<string, number>, { more = {}, frames = 0 }: { more?: Dataset; frames?: number } = {}) {
  globalThis.fetch = async (input) => {
    const [, uid = ''] = /series\/(\w+)\/metadata/.exec(String(input)) ?? []
    return Response.json(Array.from({ length: counts[uid] ?? 0 }, (_, at) => image(`${uid}.${at + 1}`, { [tag.instanceNumber]: { Value: [at + 1] }, ...(frames ? { [tag.frameCount]: { Value: [frames] } } : {}), ...more })))
  }
  const entries = Object.entries(counts).map(([uid, count]) => entry(uid, { instanceCount: count }))
  const { showViewer } = await import('./viewer.ts')
  const place = document.body.appendChild(document.createElement('main'))
  showViewer(place, new Study(entries), entries[0]!)
  const pane = (number = 1) => getByLabelText(place, `Picture ${number}`)
  const press = (label: string) => getByRole(place, 'button', { name: label }).click()
  const view = (number = 1) => stage.viewports.get(`pane-${number}`)!
  const says = (text: string, number = 1) => waitFor(() => expect(pane(number)).toHaveTextContent(text))
  const type = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  return { place, pane, press, view, says, type, slider: () => pane().querySelector('input')!, turn: () => new Promise((done) => requestAnimationFrame(done)) }
}

const pressed = (place: HTMLElement, label: string) => getByRole(place, 'button', { name: label }).getAttribute('aria-pressed')
const isOff = (place: HTMLElement, label: string) => getByRole(place, 'button', { name: label }).getAttribute('aria-disabled') === 'true'

beforeEach(() => {
  clearStage()
  // A page is left with its tab: what listens goes with it.
  for (const [kind, listener] of listening.mock.calls.splice(0)) document.removeEventListener(kind, listener as EventListener)
  document.body.replaceChildren()
  window.ResizeObserver = class { constructor(act: () => void) { observed = act } observe() {} unobserve() {} disconnect() {} } as unknown as typeof ResizeObserver
  HTMLCanvasElement.prototype.getContext = () => null
  HTMLDialogElement.prototype.showModal = function () { this.open = true }
})

describe('a stack', () => {
  it('opens in its middle and says where one is, to ear and eye [7.42, P29]', async () => {
    const { place, says, slider, pane } = await page({ a: 20 })
    await says('11 / 20')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', true)
    await waitFor(() => expect(getByRole(place, 'status')).toHaveTextContent('a, slice 11 of 20'))
    expect([slider().min, slider().max, slider().step || '1', slider().value, slider().getAttribute('aria-valuetext')]).toEqual(['1', '20', '1', '11', 'Slice 11 of 20'])
    slider().value = '5'
    slider().dispatchEvent(new Event('input'))
    await says('5 / 20')
  })

  it('is gone through by keys, and ends at both ends [7.42, P29]', async () => {
    const { says, type } = await page({ a: 20 })
    await says('11 / 20')
    for (const [key, place] of [['ArrowDown', 12], ['ArrowUp', 11], ['PageUp', 1], ['ArrowUp', 1], ['PageDown', 11], ['End', 20], ['ArrowDown', 20], ['Home', 1]] as const) {
      type(key)
      await says(`${place} / 20`)
    }
  })

  it('has six pictures under way, tells which is awaited, and reaches eight to either side where memory is small [7.42]', async () => {
    stage.isSlow = true
    const { says, pane } = await page({ a: 40 })
    await says('Loading slice 21 …')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', false)
    expect(stage.asked).toHaveLength(1)
    stage.asked[0]!.answer()
    await waitFor(() => expect(stage.asked).toHaveLength(7))
    stage.isSlow = false
    for (const { answer } of stage.asked) answer()
    await says('17 loaded')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', true)
  })

  it('gives each object of many frames its header once [7.42]', async () => {
    const { says } = await page({ a: 2 }, { frames: 3 })
    await says('4 / 6')
    expect(stage.headers.map((id) => id.replace(/^.*instances/, ''))).toEqual(['/a.1/frames/1', '/a.2/frames/1'])
  })

  it('says which picture cannot be read, and keeps nothing of it [7.42, P28]', async () => {
    stage.isDamaged = true
    const { says, pane } = await page({ a: 1 })
    await says('This picture cannot be read')
    expect(pane().querySelector('.pane-notice')).toHaveProperty('hidden', false)
    expect(stage.dropped).toEqual([[expect.stringContaining('a.1'), { force: true }]])
    expect(pane().querySelector('.slice-slider')).toHaveProperty('hidden', true)
  })

  it('of two pictures can be gone through and played [7.42]', async () => {
    const two = await page({ a: 2 })
    await two.says('2 / 2')
    expect(two.pane().querySelector('.slice-slider')).toHaveProperty('hidden', false)
    expect([two.slider().max, two.slider().value, two.pane().querySelector('canvas')!.width]).toEqual(['2', '2', 1])
    await waitFor(() => expect(isOff(two.place, 'Play')).toBe(false))
    const icon = () => two.place.querySelector('[aria-label="Play"] path')!.getAttribute('d')
    const before = icon()
    expect(before).toBe(icons.play)
    two.press('Play')
    await waitFor(() => expect(pressed(two.place, 'Play')).toBe('true'))
    expect(icon()).not.toBe(before)
    two.press('Play')
    await waitFor(() => expect(icon()).toBe(before))
  })

  it('says which way the patient lies at all four edges [7.42]', async () => {
    const edges = [jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(80), jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(60)]
    const { says, pane } = await page({ a: 1 }, { more: { [tag.imageOrientation]: { Value: [1, 0, 0, 0, 1, 0] } } })
    await says('1 / 1')
    await waitFor(() => expect(['left', 'right', 'top', 'bottom'].map((edge) => pane().querySelector(`.edge.${edge}`)!.textContent)).toEqual(['R', 'L', 'A', 'P']))
    for (const edge of edges) edge.mockRestore()
  })
})

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
    await says('W 400 · C 40')
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

  it('is inverted by its header where that says so, and bright on dark counts as inverted then [7.42]', async () => {
    const { place, press, says } = await page({ a: 1 }, { more: { [tag.photometric]: { Value: ['MONOCHROME1'] } } })
    await says('1 / 1')
    await waitFor(() => expect(pressed(place, 'Invert')).toBe('true'))
    press('Invert')
    await waitFor(() => expect(pressed(place, 'Invert')).toBe('false'))
  })

  it('waits for a picture: until then its tools are off and do nothing [7.42]', async () => {
    stage.isSlow = true
    const { place, press, view, says } = await page({ a: 3 })
    await says('Loading slice')
    expect([isOff(place, 'Invert'), isOff(place, 'Delete measurement'), pressed(place, 'Invert')]).toEqual([true, true, 'false'])
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
})

describe('the page', () => {
  it('has one, two or four pictures, and marks the one that is acted on [7.42, P29]', async () => {
    const { place, press, pane, says } = await page({ a: 1, b: 2 })
    await says('1 / 1')
    const panes = () => [...place.querySelectorAll('.pane')].map((each) => [each.getAttribute('aria-label'), each.getAttribute('aria-current')])
    expect(panes()).toEqual([['Picture 1', null]])
    press('Two pictures')
    await says('2 / 2', 2)
    expect(panes()).toEqual([['Picture 1', 'true'], ['Picture 2', null]])
    const layout = () => ['One picture', 'Two pictures', 'Four pictures'].map((label) => pressed(place, label))
    await waitFor(() => expect(layout()).toEqual(['false', 'true', 'false']))
    press('Four pictures')
    await waitFor(() => expect(layout()).toEqual(['false', 'false', 'true']))
    pane(4).dispatchEvent(new Event('focusin'))
    press('One picture')
    await waitFor(() => expect([panes(), layout()]).toEqual([[['Picture 1', null]], ['true', 'false', 'false']]))
  })

  it('fits again what filled its place when the window changes its size, and leaves what was enlarged [7.42]', async () => {
    const { press, view, says, type } = await page({ a: 1, b: 1 })
    await says('Zoom 1.00×')
    press('Two pictures')
    await says('Zoom 1.00×', 2)
    type('+')
    const before = [view(1).fits.length, view(2).fits.length]
    observed!()
    expect(stage.resized).toEqual([[true, true]])
    expect([view(1).fits.length - before[0]!, view(2).fits.length - before[1]!]).toEqual([0, 1])
  })

  it('lists the series only where there is a choice, each with what it holds [7.42]', async () => {
    const { place } = await page({ a: 1, b: 2 })
    const list = getByRole(place, 'navigation', { name: 'Series' })
    expect([...list.querySelectorAll('.series-facts')].map((facts) => facts.textContent)).toEqual(['CT · 1 object', 'CT · 2 objects'])
    // Their place is kept before they are here.
    expect([...list.querySelectorAll('img')].map(({ width, height }) => [width, height])).toEqual([[96, 96], [96, 96]])
    document.body.replaceChildren()
    expect(queryByRole((await page({ a: 1 })).place, 'navigation')).toBeNull()
  })

  it('has a toolbar that is one stop of Tab and walked by arrows, round its ends [P29]', async () => {
    const { place, says } = await page({ a: 1 })
    await says('1 / 1')
    const bar = getByRole(place, 'toolbar')
    const go = (key: string) => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      return document.activeElement!.getAttribute('aria-label')
    }
    bar.querySelector('button')!.focus()
    expect([go('ArrowRight'), go('ArrowLeft'), go('ArrowLeft'), go('ArrowRight'), go('End'), go('Home')]).toEqual(['Scroll', 'Window / level', 'Keyboard and mouse', 'Window / level', 'Keyboard and mouse', 'Window / level'])
    expect(bar.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
    const rate = getByLabelText<HTMLInputElement>(bar, 'Pictures per second')
    expect([rate.min, rate.max, rate.step || '1', rate.value]).toEqual(['1', '60', '1', '10'])
  })

  it('names its keys, and lets letters be switched off [P29]', async () => {
    const { place, press, type, says } = await page({ a: 1 })
    await says('1 / 1')
    expect(getByRole(place, 'button', { name: 'Length' }).title).toBe('Length (L)')
    expect(getByRole(place, 'button', { name: 'Delete measurement' }).title).toBe('Delete measurement (Delete or Backspace)')
    type('l')
    await waitFor(() => expect(pressed(place, 'Length')).toBe('true'))
    press('Keyboard and mouse')
    const box = place.querySelector<HTMLInputElement>('dialog input')!
    expect(box.checked).toBe(true)
    box.click()
    type('a')
    type('ArrowDown')
    await says('1 / 1')
    expect(pressed(place, 'Length')).toBe('true')
  })

  it('tells its controls once a turn, however much has changed [7.42]', async () => {
    const { place, press, turn, says } = await page({ a: 1 })
    await says('1 / 1')
    await turn()
    const frames = jest.spyOn(globalThis, 'requestAnimationFrame')
    for (const label of ['Length', 'Angle', 'Pan']) press(label)
    expect(frames).toHaveBeenCalledTimes(1)
    frames.mockRestore()
    await waitFor(() => expect(pressed(place, 'Pan')).toBe('true'))
  })
})

describe('a line that is away', () => {
  it('is said above the pictures until one comes in again [7.42, P28]', async () => {
    stage.isSlow = true
    const { place, says } = await page({ a: 9 })
    await says('Loading slice 5 …')
    stage.asked[0]!.answer()
    await waitFor(() => expect(stage.asked).toHaveLength(7))
    const banner = place.querySelector('.banner')
    stage.asked[1]!.fail()
    await waitFor(() => expect(banner).toHaveProperty('hidden', false))
    expect(banner).toHaveTextContent('The connection is lost.')
    stage.asked[2]!.answer()
    await waitFor(() => expect(banner).toHaveProperty('hidden', true))
  })
})
