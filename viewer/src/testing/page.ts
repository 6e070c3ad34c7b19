import { getByLabelText, getByRole, waitFor } from '@testing-library/dom'
import { tag, type JsonDataset } from '@dmp/dicom'
import type { SeriesEntry } from '../study/series.ts'
import { Study } from '../study/Study.ts'
import type { Preview } from '../ui/Preview.ts'
import { clearStage, core, imageLoading, stage, tools } from './cornerstone.ts'

// The page as a person has it.
jest.doMock('@cornerstonejs/core', core)
jest.doMock('@cornerstonejs/dicom-image-loader', imageLoading)
jest.doMock('@cornerstonejs/tools', tools)

const leaving: (() => void)[] = []
let observed: (() => void) | undefined
/** Another size of the window. */
export const resize = (): void => observed!()
/** Series that the server has not. */
export const lostAddresses = new Set<string>()
const listening = jest.spyOn(document, 'addEventListener')
const image = (uid: string, more: JsonDataset = {}): JsonDataset => ({
  [tag.SOPInstanceUID]: { Value: [uid] },
  [tag.Rows]: { Value: [4] },
  [tag.Columns]: { Value: [8] },
  ...more,
})
const entry = (uid: string, more: Partial<SeriesEntry> = {}): SeriesEntry => ({
  studyUid: '1',
  uid,
  modality: 'CT',
  description: uid,
  number: 1,
  instanceCount: 1,
  ...more,
})

/** Shows the page for series of so many pictures each. */
export async function page(
  counts: Record<string, number>,
  {
    more = {},
    frames = 0,
    modality = 'CT',
    preview,
  }: { more?: JsonDataset; frames?: number; modality?: string; preview?: Preview } = {},
) {
  globalThis.fetch = async (input) => {
    const [, uid = ''] = /series\/(\w+)\/metadata/.exec(String(input)) ?? []
    if (lostAddresses.has(uid)) return new Response(null, { status: 404 })
    return Response.json(
      Array.from({ length: counts[uid] ?? 0 }, (_, at) =>
        image(`${uid}.${at + 1}`, {
          [tag.InstanceNumber]: { Value: [at + 1] },
          ...(frames ? { [tag.NumberOfFrames]: { Value: [frames] } } : {}),
          ...more,
        }),
      ),
    )
  }
  const entries = Object.entries(counts).map(([uid, count]) => entry(uid, { instanceCount: count, modality }))
  const { showViewer } = await import('../viewer.ts')
  const place = document.body.appendChild(document.createElement('main'))
  leaving.push(showViewer(place, new Study(entries), entries[0]!, preview))
  const leave = () => leaving.pop()?.()
  const pane = (number = 1) => getByLabelText(place, `Image ${number}`)
  const press = (label: string) => getByRole(place, 'button', { name: label }).click()
  const view = (number = 1) => stage.viewports.get(`pane-${number}`)!
  const says = (text: string, number = 1) => waitFor(() => expect(pane(number)).toHaveTextContent(text))
  const type = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  return {
    place,
    leave,
    pane,
    press,
    view,
    says,
    type,
    slider: () => pane().querySelector('input')!,
    turn: () => new Promise((done) => requestAnimationFrame(done)),
  }
}

export const pressed = (place: HTMLElement, label: string) =>
  getByRole(place, 'button', { name: label }).getAttribute('aria-pressed')
export const isOff = (place: HTMLElement, label: string) =>
  getByRole(place, 'button', { name: label }).getAttribute('aria-disabled') === 'true'

/** Each test has a tab of its own. */
export function inATabOfItsOwn(): void {
  beforeEach(() => {
    for (const leave of leaving.splice(0)) leave()
    sessionStorage.clear()
    clearStage()
    lostAddresses.clear()
    // A page is left with its tab: what listens goes with it.
    for (const [kind, listener] of listening.mock.calls.splice(0))
      document.removeEventListener(kind, listener as EventListener)
    document.body.replaceChildren()
    window.ResizeObserver = class {
      constructor(act: () => void) {
        observed = act
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    } as unknown as typeof ResizeObserver
    HTMLCanvasElement.prototype.getContext = () => null
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true
    }
  })
}
