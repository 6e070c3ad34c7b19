const lookMs = 1000

export interface RightWatch {
  /** Aborted once the work may not go on. */
  readonly signal: AbortSignal
  close(): Promise<void>
}

/** Asks once a second whether an export or import may go on: not once it was ended, or its person's right was. */
export function watchRight(mayGoOn: () => Promise<boolean>): RightWatch {
  const ended = new AbortController()
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    if (ended.signal.aborted) return
    looking ??= mayGoOn()
      .then((goesOn) => (goesOn ? undefined : ended.abort()))
      // The database is away: the work notices by itself.
      .catch(() => undefined)
      .finally(() => (looking = undefined))
  }, lookMs)
  return {
    signal: ended.signal,
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
