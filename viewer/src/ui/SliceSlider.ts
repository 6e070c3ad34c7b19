import type { SliceLoader } from '../loading/SliceLoader.ts'
import { sliceText } from '../study/series.ts'
import { element, setAttribute } from './element.ts'

const colours = { waiting: '#2b3a4f', loading: '#7a8ba3', loaded: '#5b9dff', failed: '#ff8a80' } as const

/** The slice slider, with a strip beside it that shows which slices are here already. */
export class SliceSlider {
  readonly root: HTMLElement
  readonly #input: HTMLInputElement
  readonly #strip: HTMLCanvasElement
  #drawn = ''

  constructor(goTo: (index: number) => void) {
    this.#input = element('input', { type: 'range', min: 1, 'aria-label': 'Slice', 'aria-orientation': 'vertical' })
    this.#strip = element('canvas', { class: 'strip', width: 1, 'aria-hidden': 'true' })
    this.root = element('div', { class: 'slice-slider', hidden: true }, this.#strip, this.#input)
    this.#input.addEventListener('input', () => goTo(Number(this.#input.value) - 1))
  }

  show(index: number, count: number, loader: SliceLoader | undefined): void {
    this.root.hidden = count < 2
    if (count < 2) return
    setAttribute(this.#input, 'max', count)
    this.#input.value = String(index + 1)
    setAttribute(this.#input, 'aria-valuetext', sliceText(index + 1, count))
    if (loader !== undefined) this.#draw(count, loader)
  }

  #draw(count: number, loader: SliceLoader): void {
    const states = Array.from({ length: count }, (_, at) => loader.stateOf(at))
    const summary = states.join()
    if (summary === this.#drawn) return
    this.#drawn = summary
    this.#strip.height = count
    const pen = this.#strip.getContext('2d')
    states.forEach((state, at) => {
      if (pen === null) return
      pen.fillStyle = colours[state]
      pen.fillRect(0, at, 1, 1)
    })
  }
}
