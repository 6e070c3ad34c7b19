import { formatDay } from '@dmp/kit/language'
import type { RenderingEngine } from '@cornerstonejs/core'
import { explanations, toFailure, type FailureKind, type ViewerFailure } from '../failure.ts'
import type { PicturePlace } from '../imaging/look.ts'
import { Picture } from '../imaging/Picture.ts'
import { formatDecimals } from '../study/formatDecimals.ts'
import { windowText } from '../study/presets.ts'
import { relationOf } from '../study/priors.ts'
import { seriesTitle, type Series, type SeriesEntry } from '../study/series.ts'
import type { Study } from '../study/Study.ts'
import { element, setAttribute, setText } from './element.ts'
import { signInLink } from './notice.ts'
import { noNameText } from './PatientHeader.ts'
import type { Preview } from './Preview.ts'
import { SliceSlider } from './SliceSlider.ts'

interface Listener {
  /** The pane was clicked or tabbed to. */
  readonly onChosen: (pane: Pane) => void
  readonly onChange: (pane: Pane) => void
  readonly onPause: (failure: ViewerFailure) => void
}

const loadingText = () => 'Loading …'
const retryText = () => 'Try again'
const emptyText = () => 'No other series'
const noMoreOfPatientText = () => 'No other series of this patient'
const otherPatientText = () => 'Another patient'
const zoomText = (zoom: number): string => `Zoom ${formatDecimals(zoom, 2)}×`
const mirroredText = () => 'Mirrored'
const loadedText = (count: number): string => `${count} loaded`

const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const
const edges = ['top', 'right', 'bottom', 'left'] as const

/** One picture with the texts around it. */
export class Pane {
  readonly root: HTMLElement
  readonly picture: Picture
  series: Series | undefined
  #entry: SeriesEntry | undefined
  #preview: Preview | undefined
  readonly #study: Study
  readonly #listener: Listener
  readonly #target = element('div', { class: 'picture' })
  readonly #corner = places(corners, (place) => element('div', { class: `corner ${place}` }))
  readonly #edge = places(edges, (place) => element('span', { class: `edge ${place}`, 'aria-hidden': 'true' }))
  readonly #progress = element('progress', { value: 0, 'aria-label': 'Loaded slices', class: 'loaded' })
  readonly #notice = element('div', { class: 'pane-notice', hidden: true })
  readonly #slider = new SliceSlider((index) => this.picture.goTo(index))

  constructor(number: number, study: Study, engine: RenderingEngine, place: HTMLElement, listener: Listener) {
    this.#study = study
    this.#listener = listener
    this.root = element('section', { class: 'pane', tabindex: 0, 'aria-label': `Image ${number}` })
    this.root.append(
      this.#target,
      ...Object.values(this.#corner),
      ...Object.values(this.#edge),
      this.#slider.root,
      this.#progress,
      this.#notice,
    )
    for (const kind of ['pointerdown', 'focusin'] as const)
      this.root.addEventListener(kind, () => listener.onChosen(this))
    this.clear()
    this.#target.addEventListener('contextmenu', (event) => event.preventDefault())
    // Cornerstone measures the element when it is enabled: it has to stand on the page by then.
    place.append(this.root)
    this.picture = new Picture(`pane-${number}`, this.#target, engine, {
      onChange: () => this.#refresh(),
      onPause: listener.onPause,
    })
  }

  /** The series that is in this pane, or on its way into it. */
  get entry(): SeriesEntry | undefined {
    return this.#entry
  }

  /** Whether its picture is on the screen, or it is known that it does not come. */
  get isSettled(): boolean {
    return this.picture.isShown || this.#notice.getAttribute('role') === 'alert'
  }

  get seriesUid(): string | undefined {
    return this.#entry?.uid
  }

  /**
   * A preview of the slice that it opens on stands behind the texts until that slice is drawn, or cannot be.
   *
   * @param place where the picture was left; its middle slice where left out
   */
  async open(entry: SeriesEntry, paneCount: number, preview?: Preview, place?: PicturePlace): Promise<void> {
    this.#entry = entry
    this.series = undefined
    this.#preview?.root.remove()
    this.#preview = preview
    if (preview) this.#target.after(preview.root)
    this.#tell(loadingText())
    this.#refresh()
    try {
      const series = await this.#study.open(entry)
      if (this.#entry !== entry) return
      this.series = series
      this.picture.open(series, paneCount, place)
    } catch (thrown) {
      if (this.#entry === entry)
        this.#fail(toFailure(thrown).kind, () => void this.open(entry, paneCount, undefined, place))
    }
    this.#listener.onChange(this)
  }

  /** Until it is known which series comes. */
  wait(): void {
    this.#tell(loadingText())
  }

  /** Says how something comes into it. */
  clear(): void {
    this.root.classList.add('empty')
    this.#notice.hidden = false
    this.#notice.replaceChildren(
      element('p', {}, this.#study.studyUids.length > 1 ? noMoreOfPatientText() : emptyText()),
      element('p', { class: 'quiet' }, 'Choose one from the list to open it here.'),
    )
  }

  close(): void {
    this.#entry = undefined
    this.picture.close()
    this.root.remove()
  }

  setActive(isActive: boolean): void {
    this.root.classList.toggle('active', isActive)
    setAttribute(this.root, 'aria-current', isActive ? 'true' : undefined)
  }

  #refresh(): void {
    const { series, picture } = this
    const isHere = series !== undefined && picture.isOpen
    this.root.classList.toggle('empty', !isHere)
    this.root.classList.toggle('behind', isHere && !picture.isShown)
    if (isHere) this.#preview?.root.remove()
    if (series !== undefined) this.#write(series)
    this.#slider.show(picture.index, series === undefined ? 0 : picture.count, picture.loading)
    this.#listener.onChange(this)
  }

  #write(series: Series): void {
    const { picture } = this
    const loaded = picture.loading?.loadedCount ?? 0
    const grey = picture.window
    lines(this.#corner['top-left'], [series.patientName ?? noNameText(), series.patientId ?? ''])
    lines(this.#corner['top-right'], [
      seriesTitle(series),
      [series.modality, series.studyDate && formatDay(series.studyDate)].filter(Boolean).join(' · '),
      this.#relationText(series),
    ])
    lines(this.#corner['bottom-left'], [
      `${picture.index + 1} / ${picture.count}`,
      loaded < picture.count ? loadedText(loaded) : '',
    ])
    lines(this.#corner['bottom-right'], [
      grey === undefined ? '' : windowText(grey),
      picture.isOpen ? zoomText(picture.zoom) : '',
      picture.isMirrored ? mirroredText() : '',
    ])
    const markers = picture.markers
    for (const edge of edges) setText(this.#edge[edge], markers?.[edge] ?? '')
    setAttribute(this.#progress, 'max', picture.count)
    this.#progress.value = loaded
    this.#progress.hidden = loaded === picture.count
    this.#tellSlice()
  }

  /** What it is beside the study that the viewer was opened for. */
  #relationText({ studyUid, studyDate }: Series): string {
    const { ownUid } = this.#study
    if (studyUid === ownUid) return ''
    if (this.#study.personsOf(ownUid, studyUid) === 'different') return otherPatientText()
    return relationOf(studyDate, this.#study.subjectOf(ownUid)?.studyDate)
  }

  #tellSlice(): void {
    const { picture } = this
    const failure = picture.loading?.failureOf(picture.index)
    if (failure !== undefined) this.#fail(failure.kind, () => picture.retry())
    else if (picture.isShown) this.#notice.hidden = true
    else this.#tell(`Loading slice ${picture.index + 1} …`)
  }

  #tell(message: string): void {
    this.#notice.hidden = false
    this.#notice.removeAttribute('role')
    if (this.#notice.textContent !== message) this.#notice.replaceChildren(element('p', {}, message))
  }

  #fail(kind: FailureKind, retry: () => void): void {
    const { title, sentence, mayRetry } = explanations[kind]
    this.#preview?.root.remove()
    this.#notice.hidden = false
    // Written once for each failure: rewriting would take the focus off its button and announce it again.
    if (this.#notice.dataset.kind === kind && this.#notice.getAttribute('role') === 'alert') return
    this.#notice.dataset.kind = kind
    this.#notice.setAttribute('role', 'alert')
    const button = element('button', { type: 'button', class: 'action' }, retryText())
    button.addEventListener('click', () => {
      this.#tell(loadingText())
      retry()
    })
    this.#notice.replaceChildren(
      element('h2', {}, title),
      element('p', {}, sentence),
      ...(kind === 'expired' ? [signInLink()] : []),
      ...(mayRetry ? [button] : []),
    )
  }
}

function places<P extends string>(names: readonly P[], make: (name: P) => HTMLElement): Record<P, HTMLElement> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<P, HTMLElement>
}

function lines(corner: HTMLElement, texts: readonly string[]): void {
  texts.forEach((message, at) => {
    const line = corner.children[at] ?? corner.appendChild(element('p'))
    setText(line, message)
  })
}
