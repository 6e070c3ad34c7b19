import { renderedUrl } from '../dicomweb/client.ts'
import { seriesTitle, sliceText, startOf, type Series } from '../study/series.ts'
import { element } from './element.ts'

const loadingText = () => 'Loading the viewer …'

/** A phone's screen has no more pixels than it can tell apart. */
const maxSidePixels = 1024

/**
 * The slice that a series opens on, drawn by the server: it stands where the viewer will draw the same one, until that
 * has its code and its pixels. On a phone these take seconds.
 */
export class Preview {
  readonly root: HTMLElement
  readonly #image: HTMLImageElement

  constructor(series: Series) {
    const start = startOf(series)
    const what = `${seriesTitle(series)}, ${sliceText(start + 1, series.slices.length)}`
    this.#image = element('img', { alt: `Preview of ${what}`, fetchpriority: 'high' })
    this.#image.src = renderedUrl(series.slices[start]!.imageId, toSide(innerWidth), toSide(innerHeight))
    this.root = element(
      'div',
      { class: 'preview' },
      this.#image,
      element('p', { role: 'status' }, `${what}. ${loadingText()}`),
    )
  }

  /** Rejects where the server draws none. */
  async arrives(): Promise<void> {
    await this.#image.decode()
  }
}

const toSide = (cssPixels: number): number =>
  Math.max(1, Math.min(maxSidePixels, Math.round(cssPixels * devicePixelRatio)))
