import type { RenderingEngine } from '@cornerstonejs/core'
import type { ViewerFailure } from '../failure.ts'
import { Cine, defaultFrameRate } from '../imaging/Cine.ts'
import type { PicturePlace } from '../imaging/look.ts'
import { chooseTool, onMeasurement, type ToolName } from '../imaging/tools.ts'
import type { SeriesEntry } from '../study/series.ts'
import type { Study } from '../study/Study.ts'
import { element, setAttribute } from './element.ts'
import { Pane } from './Pane.ts'
import type { Preview } from './Preview.ts'

export type Layout = 1 | 2 | 4

/** What the panes show, and what is in the hand. */
export interface WorkspacePlace {
  readonly panes: readonly { readonly seriesUid: string | undefined; readonly picture: PicturePlace }[]
  readonly chosen: number
  readonly tool: ToolName
  readonly frameRate: number
}

/** The panes, which of them is acted on, and the tool in the hand. */
export class Workspace {
  readonly root = element('div', { class: 'panes', 'data-layout': 1 })
  readonly study: Study
  readonly cine = new Cine(() => this.#changed())
  readonly #engine: RenderingEngine
  readonly #onPause: (failure: ViewerFailure) => void
  readonly #listeners: (() => void)[] = []
  readonly #leavers: (() => void)[] = []
  // Each pane is watched: another layout changes their sizes, and a canvas that is not told so shows distorted
  // pictures.
  readonly #sizes = new ResizeObserver(() => this.#resize())
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
    return this.#panes.flatMap(({ seriesUid }) => seriesUid ?? [])
  }

  /** Opens a series in the active pane. */
  open(entry: SeriesEntry, preview?: Preview): void {
    this.cine.stop()
    const pane = this.active
    void pane.open(entry, this.#panes.length, preview).then(() => {
      if (pane === this.active) this.frameRate = pane.series?.frameRate ?? defaultFrameRate
    })
  }

  pick(tool: ToolName): void {
    this.tool = tool
    chooseTool(tool)
    this.#changed()
  }

  setLayout(layout: Layout): void {
    this.cine.stop()
    while (this.#panes.length > layout) {
      const pane = this.#panes.pop()!
      this.#sizes.unobserve(pane.root)
      pane.close()
    }
    while (this.#panes.length < layout) {
      const pane = this.#addPane()
      const entry = this.#nextEntry()
      if (entry !== undefined) void pane.open(entry, layout)
    }
    setAttribute(this.root, 'data-layout', layout)
    this.#choose(this.#panes[Math.min(this.#chosen, layout - 1)]!)
    this.pick(this.tool)
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
      onChange: () => this.#changed(),
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

  /** For a new pane: a series that is not on the screen yet, else the one that is being looked at. */
  #nextEntry(): SeriesEntry | undefined {
    const openUids = this.shownUids
    return (
      this.study.entries.find(({ uid }) => !openUids.includes(uid)) ??
      this.study.entries.find(({ uid }) => uid === this.active.seriesUid)
    )
  }

  #choose(pane: Pane): void {
    const at = this.#panes.indexOf(pane)
    if (at !== this.#chosen) this.cine.stop()
    this.#chosen = Math.max(0, at)
    for (const each of this.#panes) each.setActive(each === pane && this.#panes.length > 1)
    this.#changed()
  }

  #changed(): void {
    if (this.#isToldSoon) return
    this.#isToldSoon = true
    requestAnimationFrame(() => {
      this.#isToldSoon = false
      for (const listener of this.#listeners) listener()
    })
  }
}
