import type { Server } from '../app.ts'
import type { ObjectStore, OpenObject } from '../outside/objectStore.ts'

/** Intervals that were begun and not ended, with where. */
const intervals = new Map<unknown, string>()
const { setInterval: begin, clearInterval: end } = globalThis
globalThis.setInterval = Object.assign((...given: Parameters<typeof begin>) => {
  const timer = begin(...given)
  intervals.set(timer, (new Error().stack ?? '').split('\n')[2]?.trim() ?? '')
  return timer
}, begin)
globalThis.clearInterval = (timer) => {
  intervals.delete(timer)
  end(timer)
}

/** Timers that would hold a process for long, with where. */
const timeouts = new Map<unknown, string>()
const longMs = 5000
const { setTimeout: wait, clearTimeout: stopWaiting } = globalThis
globalThis.setTimeout = Object.assign((run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
  if ((ms ?? 0) < longMs) return wait(run, ms, ...given)
  const over = (...values: unknown[]): void => {
    timeouts.delete(timer)
    run(...values)
  }
  const timer = wait(over, ms, ...given)
  timeouts.set(timer, (new Error().stack ?? '').split('\n')[2]?.trim() ?? '')
  return timer
}, wait) as typeof wait
globalThis.clearTimeout = (timer) => {
  timeouts.delete(timer)
  stopWaiting(timer)
}

const isOfProduct = (place: string): boolean =>
  /\/server\/src\//.test(place) && !/\/testing\/|InTests\.|\.test\./.test(place)

/** Objects that a server has opened and not closed, with where. */
const opened = new WeakMap<Server['deps'], Map<OpenObject, string>>()

let openServers = 0
export function countServer({ deps }: Server): void {
  openServers += 1
  opened.set(deps, watchOpened(deps.objects))
}

function watchOpened(objects: ObjectStore): Map<OpenObject, string> {
  const open = new Map<OpenObject, string>()
  const watched = async (opening: Promise<OpenObject>): Promise<OpenObject> => {
    const place = (new Error().stack ?? '').split('\n').find(isOfProduct)?.trim()
    const object = await opening
    if (place === undefined) return object
    const close = object.close.bind(object)
    open.set(object, place)
    return Object.assign(object, {
      close: () => {
        open.delete(object)
        return close()
      },
    })
  }
  const [openStored, stage] = [objects.open.bind(objects), objects.stage.bind(objects)]
  objects.open = (key) => watched(openStored(key))
  objects.stage = async (...given) => {
    const staged = await stage(...given)
    const openStaged = staged.open.bind(staged)
    return Object.assign(staged, { open: () => watched(openStaged()) })
  }
  return open
}

/** What a server that has closed still holds: a process that goes on would keep it for ever. */
export function findLeftovers({ deps }: Server): string[] {
  openServers -= 1
  const found = [
    ...(deps.memory.bytes === 0 ? [] : [`${deps.memory.bytes} bytes are reserved`]),
    ...[...(opened.get(deps)?.values() ?? [])].map((place) => `an open object ${place}`),
  ]
  if (openServers > 0) return found
  const running = [...intervals.values()].filter(isOfProduct)
  intervals.clear()
  const late = [...timeouts].filter(([timer, place]) => (timer as NodeJS.Timeout).hasRef() && isOfProduct(place))
  timeouts.clear()
  return [...found, ...running.map((place) => `an interval ${place}`), ...late.map(([, place]) => `a timer ${place}`)]
}
