/** How far the server has got with stopping. */
export class Stopping {
  readonly #begun = new AbortController()
  #isAsked = false

  /** It was told to stop: load balancers send requests elsewhere from now on, and those that still come are served. */
  ask(): void {
    this.#isAsked = true
  }

  get isAsked(): boolean {
    return this.#isAsked
  }

  /** It takes no new work from now on, and gives up what can go on elsewhere. */
  begin(): void {
    this.ask()
    this.#begun.abort()
  }

  /** Aborted once the server takes no new work. */
  get signal(): AbortSignal {
    return this.#begun.signal
  }
}
