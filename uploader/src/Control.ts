import { Pace } from './Pace.ts'
import { Progress } from './Progress.ts'

/** What the server says of the station, as the window shows it. */
export interface Told {
  readonly organization: string
  readonly product: string
  readonly offered: string | null
  readonly oldest: string
}

export interface Code {
  readonly userCode: string
  readonly address: string
}

/** What whoever sits in front of an uploader sees and decides while it runs. */
export class Control {
  readonly progress = new Progress()
  readonly pace = new Pace()
  /** Watched, as the window shows them. */
  folders: readonly string[] = []
  /** Host of the product, and who sends; undefined where nobody is connected. */
  server: URL | undefined
  account: string | undefined
  told: Told | undefined
  /** Why nothing is sent at all, in a sentence. */
  problem: string | undefined
  isWaiting = false
  /** What this machine shows while it asks for an API token. */
  code: Code | undefined
  /** What became of the last look for a newer uploader. */
  update: string | undefined
  #isPaused = false
  #wakers: (() => void)[] = []

  get isPaused(): boolean {
    return this.#isPaused
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.wake()
  }

  /** Ends waits: there is something new to do. */
  wake(): void {
    for (const wake of this.#wakers.splice(0)) wake()
  }

  /** Waits for so long, or until somebody does something. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      this.#wakers.push(end)
    })
  }

  /** Resolves when nobody pauses. */
  async untilGoesOn(signal: AbortSignal): Promise<void> {
    while (this.#isPaused && !signal.aborted) await this.rest(60_000, signal)
  }
}
