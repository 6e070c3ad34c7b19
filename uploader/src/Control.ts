import type { OtherOrganization } from './Journals.ts'
import type { Log } from './log.ts'
import { Pace } from './Pace.ts'
import { Progress } from './Progress.ts'

/** What the server says of the station, as the window shows it. */
export interface Told {
  readonly organization: string
  readonly product: string
  readonly offered: string | null
  readonly oldest: string
  /** When the API token ends; a server of before does not say it. */
  readonly tokenExpiresDate?: string
}

export interface Lost {
  readonly since: string
  readonly reason: string
}

export interface Code {
  readonly userCode: string
  readonly address: string
}

const watchedMs = 1000

/** What whoever sits in front of an uploader sees and decides while it runs. */
export class Control {
  readonly progress = new Progress()
  readonly pace = new Pace()
  /** Nothing leaves but de-identified copies. */
  isDeidentifying = false
  /** Watched, as the window shows them. */
  folders: readonly string[] = []
  /** Host of the product, and who sends; undefined where nobody is connected. */
  server: URL | undefined
  account: string | undefined
  /** Of an API token, by which people tell it from others. */
  tokenHint: string | undefined
  told: Told | undefined
  /** Why nothing is sent at all, in a sentence. */
  problem: string | undefined
  /** The same in one word. */
  problemCode: string | undefined
  isWaiting = false
  /** Since when the server cannot be reached, and why; undefined where it answers. */
  lost: Lost | undefined
  /** Why this machine could not be connected when somebody last tried, in a sentence. */
  unconnected: string | undefined
  /** What this machine shows while it asks for an API token. */
  code: Code | undefined
  /** What became of the last look for a newer uploader. */
  update: string | undefined
  /** What somebody is to answer before anything is sent. */
  question: OtherOrganization | undefined
  #isPaused = false
  /** Undefined but between two looks. */
  #lookedAt: number | undefined
  #isAwake = false
  readonly #wakers = new Set<() => void>()

  get isPaused(): boolean {
    return this.#isPaused
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.wake()
  }

  /** Ends waits, or the next one where nobody waits: there is something new to do. */
  wake(): void {
    this.#isAwake = this.#wakers.size === 0
    for (const wake of this.#wakers) wake()
  }

  /** Waits for the next look. */
  async restFromLook(ms: number, signal: AbortSignal): Promise<void> {
    this.#lookedAt = Date.now()
    await this.rest(ms, signal)
    this.#lookedAt = undefined
  }

  /** Somebody watches: what is new is looked for sooner, unless looking takes long. */
  asked(): void {
    const soonMs = Math.max(watchedMs, 5 * this.progress.lookMs)
    if (this.#lookedAt !== undefined && Date.now() - this.#lookedAt >= soonMs) this.wake()
  }

  /** Waits for so long, or until somebody does something. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isAwake) return void (this.#isAwake = false)
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#wakers.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      this.#wakers.add(end)
    })
  }

  /** Says once that the server cannot be reached, and once that it answers again: then `reason` is undefined. */
  heard(reason: string | undefined, log: Log): void {
    const since = this.lost?.since ?? new Date().toISOString()
    const when = new Date(since).toLocaleString('sv-SE')
    if (reason === undefined && this.lost !== undefined)
      log.say(`The server responds again. It could not be reached since ${when}.`)
    if (reason !== undefined && this.lost === undefined)
      log.say(`The server cannot be reached since ${when}: ${reason} It is tried again by itself.`)
    this.lost = reason === undefined ? undefined : { since, reason }
  }
}
