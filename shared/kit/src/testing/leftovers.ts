import { queryClient } from '../transport/queryClient.ts'
import { hasUnsaved } from '../session/unsaved.ts'
import { getNotices } from '../ui/notify.ts'
import { getTasks } from '../ui/tasks.ts'

/** What product code started outside of React while a screen was drawn, and has not ended yet. */
const alive = new Map<object | number, { readonly what: string; readonly by: Error }>()
const places = new WeakMap<Error, string>()
let isWatching = false

/** Only of components: what a page does once, a little later, ends by itself. */
const component = /\.tsx:|\/use[A-Z]\w*\.ts:/

/** The host loads remotes for the page, within a time limit. */
const product = /\/(?:shared\/kit|host|remote-[a-z]+)\/src\/(?!remotes\/)(?![^):]*(?:\.test|InTests)\.)/

/** The line of product code that started it itself; libraries and tests end what is theirs. */
function findPlace(by: Error): string | undefined {
  const [, first = ''] = (by.stack ?? '').split('\n').filter((line) => !line.includes('/testing/leftovers'))
  return product.test(first)
    ? first.replace(/^.*?\/((?:shared\/kit|host|remote-[a-z]+)\/src\/[^):]*:\d+).*$/, '$1')
    : undefined
}

function start(key: object | number, what: string): void {
  if (isWatching) alive.set(key, { what, by: new Error(what) })
}

/** Replaces a pair of functions that start and end something. */
function watchPair<T extends object, S extends keyof T, E extends keyof T>(
  target: T,
  startName: S,
  endName: E,
  what: string,
): void {
  const [startIt, endIt] = [target[startName], target[endName]] as unknown as ((...args: unknown[]) => unknown)[]
  if (!startIt || !endIt) return
  Object.assign(target, {
    [startName]: (...args: unknown[]) => {
      const key = startIt.apply(target, args) as number
      start(key, `${what} after ${Number(args[1])} ms`)
      return key
    },
    [endName]: (key: number) => {
      alive.delete(key)
      return endIt.call(target, key)
    },
  })
}

function watchTimeouts(): void {
  watchPair(globalThis, 'setTimeout', 'clearTimeout', 'a timer')
  const { setTimeout: watched } = globalThis
  const startIt = watched as unknown as (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => number
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const key = startIt(
        (...given) => {
          alive.delete(key)
          run(...given)
        },
        ms,
        ...args,
      )
      return key
    },
  })
}

const listenerKeys = new Map<string, WeakMap<object, object>>()
function keyOfListener(target: EventTarget, kind: string, listener: object): object {
  const name = `${target === window ? 'window' : 'document'} ${kind}`
  const keys = listenerKeys.get(name) ?? new WeakMap<object, object>()
  listenerKeys.set(name, keys)
  const key = keys.get(listener) ?? {}
  keys.set(listener, key)
  return key
}

function watchListeners(target: EventTarget): void {
  const add = target.addEventListener.bind(target)
  const remove = target.removeEventListener.bind(target)
  target.addEventListener = (kind: string, listener: EventListener | null, options?: AddEventListenerOptions) => {
    if (listener) start(keyOfListener(target, kind, listener), `a listener of ${kind}`)
    add(kind, listener, options)
  }
  target.removeEventListener = (kind: string, listener: EventListener | null, options?: EventListenerOptions) => {
    if (listener) alive.delete(keyOfListener(target, kind, listener))
    remove(kind, listener, options)
  }
}

/** A test that takes the clock replaces these functions, too. */
const watchedIntervals = new WeakSet<object>()
function watchIntervals(): void {
  if (watchedIntervals.has(globalThis.setInterval)) return
  watchPair(globalThis, 'setInterval', 'clearInterval', 'an interval')
  watchedIntervals.add(globalThis.setInterval)
}

const realTimeout = globalThis.setTimeout
watchIntervals()
watchTimeouts()
const pageTimeout = globalThis.setTimeout

export const hasFakeTimers = (): boolean => globalThis.setTimeout !== pageTimeout
/** By the real clock, also under a test's fake timers. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => realTimeout(resolve, ms))
for (const target of [window, document]) watchListeners(target)

const OriginalChannel = globalThis.BroadcastChannel
if (typeof OriginalChannel === 'function')
  globalThis.BroadcastChannel = class extends OriginalChannel {
    constructor(name: string) {
      super(name)
      start(this, `the channel ${name}`)
    }

    override close(): void {
      alive.delete(this)
      super.close()
    }
  }

/** Begins to watch, with the drawing of a screen. */
export function watchLeftovers(): void {
  alive.clear()
  watchIntervals()
  isWatching = true
}

/** Whether a screen does something again and again just now; the kit does so by itself for its own notices. */
export const hasInterval = (): boolean =>
  [...alive.values()].some(({ what, by }) => {
    const place = findPlace(by) ?? 'shared'
    return what.startsWith('an interval') && (!place.startsWith('shared') || place.includes('useEvery'))
  })

/** What was stopped needs a moment to end. */
const looks = 10
const lookMs = 10

/** What outlives the screen and its person: to be asked when neither is there any more. */
export async function findLeftovers(findOthers: () => string[]): Promise<string[]> {
  isWatching = false
  let found = [...findStarted(), ...findRemembered(), ...findOthers()]
  for (let look = 0; look < looks && found.length > 0; look += 1) {
    await pause(lookMs)
    found = [...findStarted(), ...findRemembered(), ...findOthers()]
  }
  alive.clear()
  return found
}

// A stack costs a look at source maps, so each is read once, and what is no product's is not looked at again.
function findStarted(): string[] {
  return [...alive].flatMap(([key, { what, by }]) => {
    const place = places.get(by) ?? findPlace(by) ?? ''
    places.set(by, place)
    if (place !== '' && (!what.startsWith('a timer') || component.test(place))) return [`${what} (${place})`]
    alive.delete(key)
    return []
  })
}

function findRemembered(): string[] {
  const { shown, recent } = getNotices()
  return [
    ...[...shown, ...recent].map(({ text }) => `the notice “${text}”`),
    ...getTasks().map(({ title }) => `the task “${title}”`),
    ...queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryHash }) => `the cached answer of ${queryHash}`),
    ...(queryClient.getMutationCache().getAll().length > 0 ? ['a change in the cache'] : []),
    ...(hasUnsaved() ? ['unsaved input'] : []),
    ...Object.keys(sessionStorage)
      .filter((key) => key.startsWith('draft:'))
      .map((key) => `the stored ${key}`),
    ...(localStorage.getItem('dataTableHistory') === null ? [] : ['the stored history of tables']),
  ]
}
