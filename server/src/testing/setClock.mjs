import { readFileSync } from 'node:fs'

/** Preloaded into a server of a test: its clock is wrong by the milliseconds in a file, from one look to the next. */
const file = new URL(import.meta.url).searchParams.get('file')
const RealDate = Date
let offset = 0
let readAt = -Infinity
function now() {
  if (performance.now() - readAt > 20) {
    readAt = performance.now()
    offset = Number(readFileSync(file, 'utf8'))
  }
  return RealDate.now() + offset
}
// A date that comes from elsewhere is still a Date.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, like) => Reflect.construct(target, given.length === 0 ? [now()] : given, like),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
