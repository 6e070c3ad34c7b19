import type { Found } from './dicomFile.ts'
import type { Settled } from './journal.ts'

/** Why a file is not there yet, for whoever looks. */
export interface Failure {
  readonly path: string
  readonly reason: string
  /** Refused for good, or tried again. */
  readonly isFinal: boolean
  readonly at: string
}

const listed = 200
const rateMs = 60_000

/** What waits, what was sent and what failed, since the uploader started. */
export class Progress {
  readonly counts: Record<Settled, number> = { stored: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  /** Files that wait, as far as the look through the folders has come. */
  waiting = 0
  waitingBytes = 0
  /** The look through the folders is not at its end: there may be more. */
  isCounting = false
  readonly #failures = new Map<string, Failure>()
  readonly #recent: { readonly at: number; readonly bytes: number }[] = []
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** A new look through the folders. */
  begin(): void {
    this.waiting = 0
    this.waitingBytes = 0
    this.isCounting = true
  }

  found({ size }: Found): void {
    this.waiting += 1
    this.waitingBytes += size
  }

  settled(file: Found, outcome: Settled, reason?: string): void {
    this.#leave(file)
    this.counts[outcome] += 1
    if (outcome === 'refused') this.#fail(file.path, reason ?? '', true)
    else this.#failures.delete(file.path)
    if (outcome === 'stored' || outcome === 'duplicate') this.#recent.push({ at: this.#now(), bytes: file.size })
  }

  /** Not sent in this look: it waits for the next one. */
  putOff(file: Found, reason: string): void {
    this.#fail(file.path, reason, false)
  }

  unreadable(place: string): void {
    this.#fail(place, 'It cannot be read. Check its permissions, or close the program that is writing it.', false)
  }

  /** Whatever failed is tried again with the next look; what was refused stays on the list until somebody clears it. */
  clearFailures(): void {
    this.#failures.clear()
  }

  /** The newest first. */
  get failures(): readonly Failure[] {
    return [...this.#failures.values()].reverse()
  }

  get failed(): number {
    return [...this.#failures.values()].filter(({ isFinal }) => !isFinal).length
  }

  get bytesPerSecond(): number {
    const now = this.#now()
    while (this.#recent[0] !== undefined && now - this.#recent[0].at > rateMs) this.#recent.shift()
    const [first] = this.#recent
    if (first === undefined) return 0
    const bytes = this.#recent.reduce((sum, each) => sum + each.bytes, 0)
    return Math.round(bytes / Math.max(1, (now - first.at) / 1000))
  }

  /** Undefined where it cannot be told: nothing was sent of late. */
  get minutesLeft(): number | undefined {
    if (this.waiting === 0) return 0
    const rate = this.bytesPerSecond
    return rate === 0 ? undefined : Math.ceil(this.waitingBytes / rate / 60)
  }

  #leave({ size }: Found): void {
    this.waiting = Math.max(0, this.waiting - 1)
    this.waitingBytes = Math.max(0, this.waitingBytes - size)
  }

  #fail(path: string, reason: string, isFinal: boolean): void {
    this.#failures.delete(path)
    this.#failures.set(path, { path, reason, isFinal, at: new Date(this.#now()).toISOString() })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > listed && oldest !== undefined) this.#failures.delete(oldest)
  }
}
