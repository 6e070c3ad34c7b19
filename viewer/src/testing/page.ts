import { getByLabelText, getByRole, waitFor } from '@testing-library/dom'
import { tag, type JsonDataset } from '@dmp/dicom'
import type { Prior } from '../study/priors.ts'
import type { SeriesEntry } from '../study/series.ts'
import { Study } from '../study/Study.ts'
import { PatientHeader } from '../ui/PatientHeader.ts'
import type { Preview } from '../ui/Preview.ts'
import { clearStage, core, imageLoading, stage, tools } from './cornerstone.ts'
import { prior } from './priors.ts'

// The page as a person has it.
jest.doMock('@cornerstonejs/core', core)
jest.doMock('@cornerstonejs/dicom-image-loader', imageLoading)
jest.doMock('@cornerstonejs/tools', tools)

const leaving: (() => void)[] = []
/** What was changed by a key or a button that drew nothing: the next one would draw it. */
const undrawn = new Set<string>()
const noteUndrawn = () => stage.undrawn.forEach((what) => undrawn.add(what))
const shown: Study[] = []
/** Studies that stand among the others, and are what the page was opened for. */
const findTwice = () =>
  shown.splice(0).flatMap(({ priors, studyUids }) => priors.filter(({ studyUID }) => studyUids.includes(studyUID)))
const observed: (() => void)[] = []
/** Another size of the window. */
export const resize = (): void => observed.forEach((act) => act())
/** Series that the server has not. */
export const lostAddresses = new Set<string>()
const running = new Set<unknown>()
const { setInterval: begin, clearInterval: end } = globalThis
globalThis.setInterval = ((...given: Parameters<typeof begin>) => {
  const timer = begin(...given)
  running.add(timer)
  return timer
}) as typeof begin
globalThis.clearInterval = (timer) => {
  running.delete(timer)
  end(timer)
}
const observing = new Set<unknown>()
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
  bodyPart: '',
  laterality: '',
  ...more,
})

/** What the server was asked about other studies, and the series that those have. */
export const askedForPriors: string[] = []
export const priorSeries: Record<string, Pick<SeriesEntry, 'uid' | 'description' | 'modality' | 'bodyPart'>[]> = {}
const toQido = ({ uid, description, modality, bodyPart }: (typeof priorSeries)[string][number]): JsonDataset => ({
  [tag.SeriesInstanceUID]: { Value: [uid] },
  [tag.SeriesDescription]: { Value: [description] },
  [tag.Modality]: { Value: [modality] },
  [tag.BodyPartExamined]: { Value: [bodyPart] },
})
export { prior }

interface PageOptions {
  readonly more?: JsonDataset
  readonly frames?: number
  readonly modality?: string
  readonly preview?: Preview
  /** The series that is opened, where it is not the first. */
  readonly first?: string
  /** Series without a picture. */
  readonly documents?: Record<string, number>
  /** What lists say of a series besides. */
  readonly series?: Record<string, Partial<SeriesEntry>>
  readonly priors?: readonly Prior[] | 'failing'
  /** What lists say of the studies, where there are several. */
  readonly studies?: readonly JsonDataset[]
  /** How many other studies are not in that list. */
  readonly morePriors?: number
  /** What the server says of the picture at a place of a series besides. */
  readonly ofPicture?: (uid: string, at: number) => JsonDataset
}

/** The server, for series of so many pictures each. */
async function answer(
  path: string,
  counts: Record<string, number>,
  {
    more,
    frames,
    priors,
    morePriors,
    ofPicture,
    besides,
  }: Required<Pick<PageOptions, 'more' | 'frames' | 'priors' | 'morePriors' | 'ofPicture'>> & {
    readonly besides: () => readonly Prior[]
  },
): Promise<Response> {
  if (path.startsWith('/launch/priors/')) {
    askedForPriors.push(path)
    return priors === 'failing'
      ? new Response(null, { status: 500 })
      : Response.json({ data: [...priors, ...besides()], more: morePriors, patientPage: '/scan/patient/o/1' })
  }
  const [, studyUid = ''] = /studies\/(\w+)\/series$/.exec(path) ?? []
  if (studyUid !== '') return Response.json((priorSeries[studyUid] ?? []).map(toQido))
  const [, uid = ''] = /series\/(\w+)\/metadata/.exec(path) ?? []
  if (lostAddresses.has(uid)) return new Response(null, { status: 404 })
  return Response.json(
    Array.from({ length: counts[uid] ?? 0 }, (_, at) =>
      image(`${uid}.${at + 1}`, {
        [tag.InstanceNumber]: { Value: [at + 1] },
        ...(frames ? { [tag.NumberOfFrames]: { Value: [frames] } } : {}),
        ...more,
        ...ofPicture(uid, at),
      }),
    ),
  )
}

/** Shows the page for series of so many pictures each. */
export async function page(
  counts: Record<string, number>,
  {
    more = {},
    frames = 0,
    modality = 'CT',
    preview,
    first,
    documents = {},
    series = {},
    priors = [],
    studies = [],
    morePriors = 0,
    ofPicture = () => ({}),
  }: PageOptions = {},
) {
  // The server lists what is other than the first study, also what the page was opened for besides.
  const besides = () => [...new Set(entries.map(({ studyUid }) => studyUid))].slice(1).map((uid) => prior(uid))
  const given = { more, frames, priors, morePriors, ofPicture, besides }
  globalThis.fetch = (input) => answer(String(input), counts, given)
  const ofPriors = Object.values(priorSeries).flatMap((list) => list.map(({ uid }) => uid))
  const entries = [
    ...Object.entries(counts)
      .filter(([uid]) => !ofPriors.includes(uid))
      .map(([uid, count]) => entry(uid, { instanceCount: count, modality, ...series[uid] })),
    ...Object.entries(documents).map(([uid, count]) => entry(uid, { instanceCount: count, modality: 'SR' })),
  ]
  const opened = entries.find(({ uid }) => uid === first) ?? entries[0]!
  const { showViewer } = await import('../viewer.ts')
  const place = document.body.appendChild(document.createElement('main'))
  const header = new PatientHeader()
  place.before(header.root)
  const study = new Study(entries, studies)
  shown.push(study)
  leaving.push(showViewer({ place, header }, study, opened, preview))
  const leave = () => leaving.pop()?.()
  const pane = (number = 1) => getByLabelText(place, `Image ${number}`)
  const press = (label: string) => {
    getByRole(place, 'button', { name: label }).click()
    noteUndrawn()
  }
  const view = (number = 1) => stage.viewports.get(`pane-${number}`)!
  const says = (text: string, number = 1) => waitFor(() => expect(pane(number)).toHaveTextContent(text))
  const type = (key: string) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    noteUndrawn()
  }
  return {
    place,
    header: header.root,
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

/** Each test has a tab of its own, and whoever leaves a page leaves nothing running behind. */
export function inATabOfItsOwn(): void {
  afterEach(() => {
    for (const leave of leaving.splice(0)) leave()
    const left = { undrawn: [...undrawn], twice: findTwice(), intervals: running.size, observers: observing.size }
    running.clear()
    observing.clear()
    undrawn.clear()
    expect(left).toEqual({ undrawn: [], twice: [], intervals: 0, observers: 0 })
  })
  beforeEach(() => {
    sessionStorage.clear()
    observed.length = 0
    clearStage()
    lostAddresses.clear()
    askedForPriors.length = 0
    for (const study of Object.keys(priorSeries)) delete priorSeries[study]
    // A page is left with its tab: what listens goes with it.
    for (const [kind, listener] of listening.mock.calls.splice(0))
      document.removeEventListener(kind, listener as EventListener)
    document.body.replaceChildren()
    window.ResizeObserver = class {
      constructor(act: () => void) {
        observed.push(act)
      }
      observe() {
        observing.add(this)
      }
      unobserve() {}
      disconnect() {
        observing.delete(this)
      }
    } as unknown as typeof ResizeObserver
    HTMLCanvasElement.prototype.getContext = () => null
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true
      this.dispatchEvent(new Event('toggle'))
    }
    HTMLDialogElement.prototype.close = function () {
      this.open = false
      if (this.contains(document.activeElement)) (document.activeElement as HTMLElement).blur()
    }
  })
}
