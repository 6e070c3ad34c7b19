import type { Picture } from './Picture.ts'

export const defaultFrameRate = 10
export const frameRates = { least: 1, most: 60 } as const

/** Plays a stack in a loop. It waits for a slice that is not here yet instead of skipping it. */
export class Cine {
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined
  }

  play(picture: Picture, framesPerSecond: number): void {
    clearInterval(this.#timer)
    const rate = Math.min(frameRates.most, Math.max(frameRates.least, framesPerSecond))
    this.#timer = setInterval(() => step(picture), 1000 / rate)
    this.#onChange()
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#onChange()
  }
}

function step(picture: Picture): void {
  if (picture.isShown || picture.loading?.failureOf(picture.index) !== undefined)
    picture.goTo((picture.index + 1) % picture.count)
}
