import type { RenderingEngine } from '@cornerstonejs/core'
import { toFailure, type ViewerFailure } from '../failure.ts'
import { Cine, defaultFrameRate, frameRates } from '../imaging/Cine.ts'
import type { PicturePlace } from '../imaging/look.ts'
import { cancelMeasurement, chooseTool, onMeasurement, type ToolName } from '../imaging/tools.ts'
import type { WorkspacePlace } from '../keptPlace.ts'
import { findMatch, type Prior } from '../study/priors.ts'
import { hasPictures, type SeriesEntry } from '../study/series.ts'
import type { Study } from '../study/Study.ts'
import { element, setAttribute } from './element.ts'
import { Pane } from './Pane.ts'
import type { Preview } from './Preview.ts'
import { ScrollLink } from './ScrollLink.ts'

export type Layout = 1 | 2 | 4

/** The panes, which of them is acted on, and the tool in the hand. */
export class Workspace {
  readonly root = element('div', { class: 'panes', 'data-layout': 1 })
  readonly study: Study
  /** Other studies that could not be opened, until they are. */
  readonly failedPriors = new Map<Prior, ViewerFailure>()
  readonly link = new ScrollLink(() => this.#panes)
  readonly cine = new Cine(() => this.#changed())
  readonly #engine: RenderingEngine
  readonly #onPause: (failure: ViewerFailure) => void
  readonly #listeners: (() => void)[] = []
  readonly #leavers: (() => void)[] = []
  // Each pane is watched: another layout changes their sizes, and a canvas that is not told so shows distorted
  // pictures.
  readonly #sizes = new ResizeObserver(() => this.#resize())
  readonly #places = new Map<string, PicturePlace>()
  #panes: Pane[] = []
  #chosen = 0
  #isToldSoon = false
  tool: ToolName
  frameRate = defaultFrameRate

  constructor(study: Study, engine: RenderingEngine, onPause: (failure: ViewerFailure) => void) {
    this.study = study
    this.#engine = engine
    this.#onPause = onPause
    // Where a finger is the pointer, moving through the slices is what one finger should do first.
    this.tool = matchMedia('(pointer: coarse)').matches ? 'scroll' : 'window'
    onMeasurement(() => this.#changed())
  }

  /** Is told, once a turn, that something the controls show has changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Is told when it is closed, before its panes are. */
  onClose(leaver: () => void): void {
    this.#leavers.push(leaver)
  }

  /** Shows the first pane, or all that were there. The root has to be on the page. */
  start(entry: SeriesEntry, preview?: Preview, place?: WorkspacePlace): void {
    this.#addPane()
    if (place === undefined) this.open(entry, preview)
    else this.#return(place)
    this.#choose(this.active)
    this.pick(this.tool)
  }

  get place(): WorkspacePlace {
    const panes = this.#panes.map(({ seriesUid, picture }) => ({ seriesUid, picture: picture.place }))
    return { panes, chosen: this.#chosen, tool: this.tool, frameRate: this.frameRate }
  }

  close(): void {
    for (const leave of this.#leavers.splice(0)) leave()
    this.#listeners.length = 0
    this.#sizes.disconnect()
    this.cine.stop()
    for (const pane of this.#panes) pane.close()
  }

  get active(): Pane {
    return this.#panes[this.#chosen] ?? this.#panes[0]!
  }

  get layout(): Layout {
    return this.#panes.length > 2 ? 4 : this.#panes.length > 1 ? 2 : 1
  }

  get shownUids(): string[] {
    return this.shown.map(({ uid }) => uid)
  }

  /** What the panes show, in their order. */
  get shown(): SeriesEntry[] {
    return this.#panes.flatMap(({ entry }) => entry ?? [])
  }

  /** Opens a series in the active pane. */
  open(entry: SeriesEntry, preview?: Preview): void {
    this.#openIn(this.active, entry, preview)
  }

  /** Opens another study of the patient beside the one that is looked at, on the series most like it. */
  async compare(prior: Prior): Promise<void> {
    this.failedPriors.delete(prior)
    const entries = await this.study.openPrior(prior).catch((thrown: unknown) => {
      this.failedPriors.set(prior, toFailure(thrown))
      this.#changed()
    })
    if (entries === undefined) return
    const own = this.#ownPane ?? this.active
    const entry =
      (own.entry && findMatch(own.entry, entries)) ??
      entries.find((each) => hasPictures(each) && each.modality === own.entry?.modality) ??
      entries.find(hasPictures) ??
      entries[0]!
    if (this.layout === 1) this.#arrange(2)
    const beside = this.#panes.filter((pane) => pane !== own)
    const pane =
      beside.find(({ entry: shown }) => shown && this.#isOther(shown)) ??
      beside.find(({ entry: shown }) => shown === undefined) ??
      beside.at(-1)!
    this.link.isOn = true
    this.#openIn(pane, entry)
    this.#changed()
  }

  pick(tool: ToolName): void {
    this.tool = tool
    chooseTool(tool)
    this.#changed()
  }

  /**
   * So many panes. Two of them compare with the patient's earlier study where its like can be told; else each new one
   * shows the next series of the study, and none where there are no more.
   */
  setLayout(layout: Layout): void {
    const added = this.#arrange(layout)
    const [first] = added
    if (layout === 2 && first) {
      const own = this.#ownPane?.entry
      const prior = own && this.study.comparableTo(own)
      if (prior) return void this.#compareOrFill(prior, first)
    }
    for (const pane of added) {
      const entry = this.#nextEntry()
      if (entry) this.#openIn(pane, entry)
    }
  }

  /** Looks for the patient's other studies. They are wanted after the first picture, and by nobody before. */
  async findPriors(): Promise<void> {
    await this.study.findPriors()
    this.#changed()
  }

  /** Whether the series is of another study than the viewer was opened for. */
  #isOther({ studyUid }: SeriesEntry): boolean {
    return this.study.priorOf(studyUid) !== undefined
  }

  /** The pane to compare with: the active one, unless it shows another study already. */
  get #ownPane(): Pane | undefined {
    const isOwn = ({ entry }: Pane) => entry !== undefined && !this.#isOther(entry)
    return isOwn(this.active) ? this.active : this.#panes.find(isOwn)
  }

  async #compareOrFill(prior: Prior, pane: Pane): Promise<void> {
    pane.wait()
    const own = this.#ownPane?.entry
    const entries = await this.study.openPrior(prior).catch(() => [])
    if (pane.entry !== undefined || !this.#panes.includes(pane)) return
    const match = own && findMatch(own, entries)
    const entry = match ?? this.#nextEntry()
    this.link.isOn ||= match !== undefined
    if (entry) this.#openIn(pane, entry)
    else pane.clear()
    this.#changed()
  }

  /** Makes it so many panes; the new ones are empty. */
  #arrange(layout: Layout): Pane[] {
    this.cine.stop()
    const added: Pane[] = []
    while (this.#panes.length > layout) {
      const pane = this.#panes.pop()!
      this.#sizes.unobserve(pane.root)
      this.#notePlace(pane)
      pane.close()
    }
    while (this.#panes.length < layout) added.push(this.#addPane())
    setAttribute(this.root, 'data-layout', layout)
    this.#choose(this.#panes[Math.min(this.#chosen, layout - 1)]!)
    this.pick(this.tool)
    return added
  }

  #openIn(pane: Pane, entry: SeriesEntry, preview?: Preview): void {
    if (pane === this.active) this.cine.stop()
    cancelMeasurement()
    this.#notePlace(pane)
    void pane.open(entry, this.#panes.length, preview, this.#places.get(entry.uid)).then(() => {
      if (pane === this.active) this.frameRate = pane.series?.frameRate ?? defaultFrameRate
    })
  }

  /** Whoever comes back to a series finds it as it was left. */
  #notePlace({ series, picture }: Pane): void {
    if (series) this.#places.set(series.uid, picture.place)
  }

  togglePlay(): void {
    if (this.cine.isPlaying) this.cine.stop()
    else this.cine.play(this.active.picture, this.frameRate)
  }

  setFrameRate(framesPerSecond: number): void {
    this.frameRate = framesPerSecond
    if (this.cine.isPlaying) this.cine.play(this.active.picture, framesPerSecond)
    this.#changed()
  }

  changeFrameRate(factor: number): void {
    const { least, most } = frameRates
    this.setFrameRate(Math.min(most, Math.max(least, Math.round(this.frameRate * factor))))
  }

  /** How many pictures are here, in all panes. */
  get loadedCount(): number {
    return this.#panes.reduce((sum, { picture }) => sum + (picture.loading?.loadedCount ?? 0), 0)
  }

  /** Draws again, after measurements went. */
  redraw(): void {
    this.#engine.render()
    this.#changed()
  }

  /** Tries again everywhere. */
  retry(): void {
    for (const pane of this.#panes) pane.picture.retry()
  }

  /** A picture that filled its pane goes on filling it; one that was zoomed keeps its zoom. */
  #resize(): void {
    const filling = this.#panes.filter(({ picture }) => picture.isOpen && Math.abs(picture.zoom - 1) < 0.01)
    this.#engine.resize(true, true)
    for (const { picture } of filling) picture.fit()
  }

  #addPane(): Pane {
    const pane = new Pane(this.#panes.length + 1, this.study, this.#engine, this.root, {
      onChosen: (chosenSeries) => this.#choose(chosenSeries),
      onChange: (changed) => this.#changed(changed),
      onPause: this.#onPause,
    })
    this.#panes.push(pane)
    this.#sizes.observe(pane.root)
    return pane
  }

  #return({ panes, chosen, tool, frameRate }: WorkspacePlace): void {
    while (this.#panes.length < panes.length) this.#addPane()
    setAttribute(this.root, 'data-layout', this.layout)
    for (const [at, { seriesUid, picture }] of panes.entries()) {
      const entry = this.study.entries.find(({ uid }) => uid === seriesUid)
      if (entry) void this.#panes[at]?.open(entry, panes.length, undefined, picture)
    }
    this.#chosen = chosen
    this.tool = tool
    this.frameRate = frameRate
  }

  #nextEntry(): SeriesEntry | undefined {
    return this.study.nextBeside(this.#ownPane?.seriesUid, this.shownUids)
  }

  #choose(pane: Pane): void {
    const at = this.#panes.indexOf(pane)
    if (at !== this.#chosen) {
      this.cine.stop()
      cancelMeasurement()
    }
    this.#chosen = Math.max(0, at)
    for (const each of this.#panes) each.setActive(each === pane && this.#panes.length > 1)
    this.#changed()
  }

  #changed(pane?: Pane): void {
    if (pane) this.link.follow(pane)
    if (this.#isToldSoon) return
    this.#isToldSoon = true
    requestAnimationFrame(() => {
      this.#isToldSoon = false
      for (const listener of this.#listeners) listener()
    })
  }
}
