import { Enums, eventTarget, imageLoader, utilities, type RenderingEngine, type Types } from '@cornerstonejs/core'
import { wadors } from '@cornerstonejs/dicom-image-loader'
import { isPassing, toFailure, type ViewerFailure } from '../failure.ts'
import { SliceLoader } from '../loading/SliceLoader.ts'
import type { GreyWindow } from '../study/presets.ts'
import { autoWindow } from '../study/autoWindow.ts'
import { tag } from '@dmp/dicom'
import { number, text } from '../dicomweb/dataset.ts'
import { withPlane } from '../study/plane.ts'
import { startOf, type Series, type Slice } from '../study/series.ts'
import { stackBytes } from './engine.ts'
import { addFrames, demandWhole, hasWindow, pictureOptions } from './frames.ts'
import { readLook, setLook, type Look, type PicturePlace } from './look.ts'
import { findMarkers, type Markers } from './markers.ts'
import { cancelMeasurement, equip, unequip } from './tools.ts'

type Header = Parameters<typeof wadors.metaDataManager.add>[1]

const concurrency = 6

interface Listener {
  /** Something that the overlay shows has changed. */
  readonly onChange: () => void
  readonly onPause: (failure: ViewerFailure) => void
}

/** One stack on the screen: which slice is in view, and how its look was changed. */
export class Picture {
  readonly id: string
  readonly #target: HTMLDivElement
  readonly #engine: RenderingEngine
  readonly #listener: Listener
  #series: Series | undefined
  #loader: SliceLoader | undefined
  #position = 0
  #shown: number | undefined
  #ownWindow: GreyWindow | undefined
  #fittingScale: number | undefined
  /** To be taken when the first slice is drawn. */
  #look: Look | undefined

  constructor(id: string, target: HTMLDivElement, engine: RenderingEngine, listener: Listener) {
    this.id = id
    this.#target = target
    this.#engine = engine
    this.#listener = listener
    engine.enableElement({
      viewportId: id,
      element: target,
      type: Enums.ViewportType.STACK,
      defaultOptions: { background: [0, 0, 0] },
    })
    // A picture with the focus gives Cornerstone the next key; this leaves it to the pane.
    target.removeAttribute('tabindex')
    equip(id, target, (steps) => this.scroll(steps))
    target.addEventListener(Enums.Events.IMAGE_RENDERED, listener.onChange)
    eventTarget.addEventListener(Enums.Events.IMAGE_CACHE_IMAGE_REMOVED, this.#forget)
  }

  open(series: Series, paneCount: number, place?: PicturePlace): void {
    this.#loader?.stop()
    this.#series = series
    this.#shown = undefined
    this.#ownWindow = undefined
    this.#look = place?.look
    this.#position = Math.min(place?.index ?? startOf(series), series.slices.length - 1)
    addFrames(series.slices)
    // Frame 1 stands for all frames of an object. The loader's own type is narrower than the DICOM JSON model.
    for (const { imageId, header, frame } of series.slices)
      if (frame === 1) wadors.metaDataManager.add(imageId, withPlane(header) as Header)
    this.#loader = new SliceLoader({
      count: series.slices.length,
      concurrency,
      reach: Math.max(8, Math.floor(stackBytes(paneCount) / series.sliceBytes / 2)),
      load: (index) => this.#load(series.slices[index]!, index === this.#position),
      onChange: () => this.#display(),
      onPause: this.#listener.onPause,
    })
    this.#loader.look(this.#position)
    this.#listener.onChange()
  }

  close(): void {
    cancelMeasurement()
    this.#loader?.stop()
    eventTarget.removeEventListener(Enums.Events.IMAGE_CACHE_IMAGE_REMOVED, this.#forget)
    this.#target.removeEventListener(Enums.Events.IMAGE_RENDERED, this.#listener.onChange)
    unequip(this.id)
    this.#engine.disableElement(this.id)
  }

  get index(): number {
    return this.#position
  }

  get place(): PicturePlace {
    return {
      index: this.#position,
      look: this.#look ?? (this.isOpen ? readLook(this.#viewport, this.zoom) : undefined),
    }
  }

  get count(): number {
    return this.#series?.slices.length ?? 0
  }

  get loading(): SliceLoader | undefined {
    return this.#loader
  }

  /** Whether any slice of this series is on the screen. */
  get isOpen(): boolean {
    return this.#shown !== undefined
  }

  /** Whether the slice that was asked for is the one on the screen. */
  get isShown(): boolean {
    return this.#shown === this.#position
  }

  goTo(index: number): void {
    const at = Math.min(this.count - 1, Math.max(0, Math.round(index)))
    if (this.#loader === undefined || at === this.#position) return
    cancelMeasurement()
    this.#position = at
    this.#loader.look(at)
    this.#display()
  }

  scroll(steps: number): void {
    this.goTo(this.#position + steps)
  }

  /** Tries again what failed. */
  retry(): void {
    this.#loader?.resume()
    this.#listener.onChange()
  }

  get window(): GreyWindow | undefined {
    const range = this.#shown === undefined ? undefined : this.#viewport.getProperties().voiRange
    if (range === undefined || range === null) return undefined
    const { windowWidth, windowCenter } = utilities.windowLevel.toWindowLevel(range.lower, range.upper)
    return { width: windowWidth, center: windowCenter }
  }

  setWindow({ width, center }: GreyWindow): void {
    this.#change((viewport) =>
      viewport.setProperties({ voiRange: utilities.windowLevel.toLowHighRange(width, center) }),
    )
  }

  /** Whether the picture is shown other than its header says; a MONOCHROME1 picture is dark on bright by itself. */
  get isInverted(): boolean {
    if (this.#shown === undefined) return false
    const header = this.#series?.slices[this.#shown]?.header ?? {}
    return (
      (this.#viewport.getProperties().invert === true) !==
      (text(header, tag.PhotometricInterpretation) === 'MONOCHROME1')
    )
  }

  invert(): void {
    this.#change((viewport) => viewport.setProperties({ invert: viewport.getProperties().invert !== true }))
  }

  /** 1 fills the pane. */
  get zoom(): number {
    const scale = this.#scale
    return scale === undefined ? 1 : scale / (this.#fittingScale ?? scale)
  }

  zoomBy(factor: number): void {
    const zoom = Math.min(50, Math.max(0.1, this.zoom * factor))
    this.#change((viewport) => viewport.setZoom(zoom * (this.#fittingScale ?? 1)))
  }

  /**
   * In Cornerstone's measure, which depends on its renderer: drawn by the processor, pixels of the screen for one of
   * the picture, and nothing at all before the first one is drawn.
   */
  get #scale(): number | undefined {
    return this.#shown === undefined ? undefined : (this.#viewport.getZoom() as number | undefined)
  }

  rotateBy(degrees: number): void {
    this.#change((viewport) => {
      const { rotation = 0 } = viewport.getViewPresentation()
      viewport.setViewPresentation({ rotation: (rotation + degrees + 360) % 360 })
    })
  }

  flip(axis: 'flipHorizontal' | 'flipVertical'): void {
    this.#change((viewport) => viewport.setCamera({ [axis]: viewport.getCamera()[axis] !== true }))
  }

  /** Turned in whatever way, it is its own mirror image after one flip, and itself after two. */
  get isMirrored(): boolean {
    if (this.#shown === undefined) return false
    const { flipHorizontal, flipVertical } = this.#viewport.getCamera()
    return (flipHorizontal === true) !== (flipVertical === true)
  }

  fit(): void {
    this.#change((viewport) => {
      viewport.resetCamera({ resetPan: true, resetZoom: true })
      this.#fittingScale = this.#scale
    })
  }

  /**
   * Everything as it was when the series was opened, but for the slice in view and the measurements. The stack is set
   * anew: Cornerstone's own reset of properties loses the polarity of MONOCHROME1.
   */
  reset(): void {
    const series = this.#series
    const shownPosition = this.#shown
    if (series === undefined || shownPosition === undefined) return
    this.#viewport.setCamera({ flipHorizontal: false, flipVertical: false })
    this.#viewport.setViewPresentation({ rotation: 0 })
    void this.#setStack(series, shownPosition)
  }

  /** Which way the patient lies, at the four edges; undefined where the header does not say. */
  get markers(): Markers | undefined {
    const header = this.#series?.slices[this.#position]?.header
    return this.#shown === undefined ? undefined : findMarkers(header, this.#target, this.#viewport)
  }

  get #viewport(): Types.IStackViewport {
    return this.#engine.getViewport<Types.IStackViewport>(this.id)
  }

  #setStack(series: Series, index: number): Promise<unknown> {
    return this.#viewport.setStack(
      series.slices.map(({ imageId }) => imageId),
      index,
    )
  }

  #change(act: (viewport: Types.IStackViewport) => void): void {
    if (this.#shown === undefined) return
    act(this.#viewport)
    this.#viewport.render()
  }

  async #load({ imageId, header }: Slice, isInView: boolean): Promise<void> {
    const image = await imageLoader.loadAndCacheImage(imageId, pictureOptions(isInView))
    demandWhole(imageId, image, number(header, tag.Rows))
    if (image.color || hasWindow(imageId)) return
    // One window for the whole stack, from the first slice that came: a window for each would flicker.
    this.#ownWindow ??= autoWindow(image.getPixelData(), number(header, tag.PixelPaddingValue))
    image.windowWidth = [this.#ownWindow.width]
    image.windowCenter = [this.#ownWindow.center]
  }

  #display(): void {
    const series = this.#series
    const loader = this.#loader
    const position = this.#position
    if (series !== undefined && loader?.stateOf(position) === 'loaded' && this.#shown !== position) {
      const isFirst = this.#shown === undefined
      this.#shown = position
      // The pane may have changed its size while it was empty: what counts as fitting is set anew.
      const drawing = isFirst
        ? this.#setStack(series, position).then(() => this.#begin(loader))
        : this.#viewport.setImageIdIndex(position)
      drawing.catch((thrown: unknown) => this.#giveUp(loader, position, thrown))
    }
    this.#listener.onChange()
  }

  #begin(loader: SliceLoader): void {
    // Another series may have come: the look that waits is its own.
    if (loader !== this.#loader) return
    this.fit()
    const look = this.#look
    this.#look = undefined
    if (look !== undefined) this.#change((viewport) => setLook(viewport, look, this.#fittingScale ?? 1))
  }

  /** A picture that came and cannot be drawn: the pane says so instead of waiting for it. */
  #giveUp(loader: SliceLoader, position: number, thrown: unknown): void {
    const failure = toFailure(thrown)
    if (isPassing(failure.kind)) return
    loader.fail(position, failure)
    if (loader !== this.#loader) return
    if (this.#shown === position) this.#shown = undefined
    this.#listener.onChange()
  }

  readonly #forget = (event: Event): void => {
    const { imageId } = (event as CustomEvent<{ imageId: string }>).detail
    const index = this.#series?.slices.findIndex((slice) => slice.imageId === imageId) ?? -1
    if (index >= 0) this.#loader?.forget(index)
  }
}
