import type { Server } from '../app.ts'

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

const isOfProduct = (place: string): boolean =>
  /\/server\/src\//.test(place) && !/\/testing\/|InTests\.|\.test\./.test(place)

let openServers = 0
export const countServer = (): void => void (openServers += 1)

/** What a server that has closed still holds: a process that goes on would keep it for ever. */
export function findLeftovers({ deps }: Server): string[] {
  openServers -= 1
  const found = deps.memory.bytes === 0 ? [] : [`${deps.memory.bytes} bytes are reserved`]
  if (openServers > 0) return found
  const running = [...intervals.values()].filter(isOfProduct)
  intervals.clear()
  return [...found, ...running.map((place) => `an interval ${place}`)]
}
