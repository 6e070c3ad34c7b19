import { getCallSites } from 'node:util'

/** Monday, and far from every row that a prepared database brings: those of a story are told apart from them. */
export const storyStart = Date.UTC(2040, 2, 5, 9, 0, 0)

const isOfProduct = (place = ''): boolean =>
  /\/server\/src\//.test(place) && !/\/testing\/|InTests\.|\.test\./.test(place)
const longMs = 5000
/** Pauses between news end once a step has nothing else to do: how long that takes is chance. */
const isPause = (place = ''): boolean => place.includes('/db/pacedNews.ts')
const minuteMs = 60_000

interface Waiting {
  readonly run: () => void
  readonly everyMs: number
  /** Undefined for rounds. */
  readonly dueAt: number | undefined
}

export interface StoryClock {
  /**
   * The clock stands there now. It goes on by a millisecond whenever somebody looks at it, within the minute: however
   * slow the machine is, and nothing happens at the same moment as what came before it.
   */
  set(ms: number): void
  now(): number
  /** Does what would have happened by itself meanwhile: each round once, and what waited for a moment that is over. */
  fire(): void
  /** Ends the pauses between news; says whether there were any. */
  endPauses(): boolean
  /** Whether something of the product is about to happen by itself. */
  isBusy(): boolean
  stop(): void
}

/** The file in which a timer is begun. */
const whoAsks = (): string | undefined => getCallSites(3)[2]?.scriptName

const neverMs = 2 ** 31 - 1
type Run = (...given: unknown[]) => void
const { setInterval: beginRounds, clearInterval: endRounds, setTimeout: wait, clearTimeout: endWait } = globalThis
const real = { Date, setInterval: beginRounds, clearInterval: endRounds, setTimeout: wait, clearTimeout: endWait }

interface Timers {
  readonly waiting: Map<unknown, Waiting>
  readonly pauses: Map<unknown, () => void>
  readonly soon: Set<unknown>
}

/** Rounds of the product do not go, and what waits for long is known. */
function holdTimers(now: () => number, { waiting, pauses, soon }: Timers): void {
  const forget = (timer: unknown): void => {
    waiting.delete(timer)
    pauses.delete(timer)
    soon.delete(timer)
  }
  globalThis.setInterval = ((run: Run, ms = 0, ...given: unknown[]) => {
    if (!isOfProduct(whoAsks())) return real.setInterval(run, ms, ...given)
    const timer = real.setInterval(() => undefined, neverMs)
    waiting.set(timer, { run: () => run(...given), everyMs: ms, dueAt: undefined })
    return timer
  }) as typeof setInterval
  globalThis.clearInterval = (timer) => {
    forget(timer)
    real.clearInterval(timer)
  }
  globalThis.setTimeout = ((run: Run, ms = 0, ...given: unknown[]) => {
    const place = whoAsks()
    if (!isOfProduct(place)) return real.setTimeout(run, ms, ...given)
    const isHeld = isPause(place) || ms >= longMs
    const over = (): void => {
      globalThis.clearTimeout(timer)
      run(...given)
    }
    const timer = real.setTimeout(over, isHeld ? neverMs : ms)
    if (isPause(place)) pauses.set(timer, over)
    else if (isHeld) waiting.set(timer, { run: over, everyMs: ms, dueAt: now() + ms })
    else soon.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    forget(timer)
    real.clearTimeout(timer)
  }
}

/**
 * The clock of this process as a story says it. Rounds of the product happen when the story says so and never by
 * themselves; else it would be chance in which step they do.
 */
export function startStoryClock(): StoryClock {
  const began = performance.now()
  let at = storyStart
  const now = (): number => {
    if (at % minuteMs < minuteMs - 1) at += 1
    return at
  }
  const timers: Timers = { waiting: new Map(), pauses: new Map(), soon: new Set() }
  globalThis.Date = new Proxy(real.Date, {
    construct: (target, given, like) => Reflect.construct(target, given.length === 0 ? [now()] : given, like) as Date,
    apply: () => new real.Date(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
  performance.now = () => now() - storyStart + began
  holdTimers(now, timers)
  return {
    set: (ms) => void (at = ms),
    now,
    fire: () => {
      for (const { run, dueAt } of [...timers.waiting.values()].sort((a, b) => a.everyMs - b.everyMs))
        if (dueAt === undefined || dueAt <= now()) run()
    },
    endPauses: () => {
      const all = [...timers.pauses.values()]
      for (const end of all) end()
      return all.length > 0
    },
    isBusy: () => timers.soon.size > 0,
    stop: () => {
      Object.assign(globalThis, real)
      delete (performance as { now?: unknown }).now
    },
  }
}
