import { toFailure, isPassing, type ViewerFailure } from '../failure.ts'

export type SliceState = 'waiting' | 'loading' | 'loaded' | 'failed'

interface Source {
  readonly count: number
  /** Fetches and decodes one slice; rejects with anything. */
  readonly load: (index: number) => Promise<unknown>
  /** How many slices may be under way at once. */
  readonly concurrency: number
  /** How far from the slice in view to load ahead, so that memory stays bounded. */
  readonly reach: number
  readonly onChange: () => void
  /** The line or the server failed: loading pauses until `resume`, or tries again by itself after the pause. */
  readonly onPause: (failure: ViewerFailure) => void
}

const firstPauseMs = 1000
const longestPauseMs = 30_000

/**
 * Brings in the slices of a stack, nearest to the one in view first, a few at a time.
 * A slice that cannot be read is marked and left; a lost line pauses everything and is tried again, ever more rarely.
 */
export class SliceLoader {
  readonly #source: Source
  readonly #states: SliceState[]
  readonly #failures = new Map<number, ViewerFailure>()
  #focus = 0
  #underWay = 0
  #pauseMs = firstPauseMs
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #hasAnswered = false

  constructor(source: Source) {
    this.#source = source
    this.#states = Array.from({ length: source.count }, () => 'waiting')
  }

  get loadedCount(): number {
    return this.#states.filter((state) => state === 'loaded').length
  }

  stateOf(index: number): SliceState {
    return this.#states[index] ?? 'failed'
  }

  failureOf(index: number): ViewerFailure | undefined {
    return this.#failures.get(index)
  }

  /** The slice in view: loading goes on around it. */
  look(index: number): void {
    this.#focus = index
    this.#fill()
  }

  /** The cache dropped a slice to make room. */
  forget(index: number): void {
    if (this.#states[index] === 'loaded') this.#states[index] = 'waiting'
  }

  /** A slice that came, and turned out to be of no use. */
  fail(index: number, failure: ViewerFailure): void {
    this.#states[index] = 'failed'
    this.#failures.set(index, failure)
  }

  /** Tries failed slices again, and goes on at once after a pause. */
  resume(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const index of this.#failures.keys()) this.#states[index] = 'waiting'
    this.#failures.clear()
    this.#fill()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #fill(): void {
    // The first slice has the line and the decoders for itself: a picture early is worth more than all of them a little
    // earlier.
    const atOnce = this.#hasAnswered ? this.#source.concurrency : 1
    while (!this.#isStopped && this.#timer === undefined && this.#underWay < atOnce) {
      const index = this.#next()
      if (index === undefined) return
      void this.#bring(index)
    }
  }

  #next(): number | undefined {
    const furthest = Math.min(this.#source.reach, this.#source.count)
    for (let distance = 0; distance <= furthest; distance += 1) {
      if (this.#states[this.#focus + distance] === 'waiting') return this.#focus + distance
      if (this.#states[this.#focus - distance] === 'waiting') return this.#focus - distance
    }
    return undefined
  }

  async #bring(index: number): Promise<void> {
    this.#states[index] = 'loading'
    this.#underWay += 1
    try {
      await this.#source.load(index)
      this.#states[index] = 'loaded'
      this.#pauseMs = firstPauseMs
    } catch (thrown) {
      this.#sort(index, toFailure(thrown))
    }
    this.#underWay -= 1
    this.#hasAnswered = true
    if (this.#isStopped) return
    this.#source.onChange()
    this.#fill()
  }

  #sort(index: number, failure: ViewerFailure): void {
    if (!isPassing(failure.kind)) {
      this.fail(index, failure)
      // An ended access fails for every slice alike: no use asking for the others.
      if (failure.kind === 'expired') this.#pause(failure)
      return
    }
    this.#states[index] = 'waiting'
    this.#pause(failure)
  }

  #pause(failure: ViewerFailure): void {
    if (this.#timer !== undefined || this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#fill()
    }, this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
    this.#source.onPause(failure)
  }
}
