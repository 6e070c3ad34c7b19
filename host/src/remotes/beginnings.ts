import { overrides } from './activeOverrides.ts'
import { ground } from './ground.ts'
import { reportAddress } from './reportAddress.ts'

/**
 * Which parts are beginning on this tab: begun, and not drawn yet. A page that can still act forgets them when it is
 * left. So what the tab's next page finds belongs to a page that could not: its thread was held up, or it crashed.
 */
const key = 'dmp.beginnings'

/** Releases by part and module: `remote-scan ./App`. */
type Beginnings = Readonly<Record<string, string>>

/** What of a part begins: its screens, its cards on the dashboard, or its searches. */
export type Module = './App' | './cards' | './search'

/** Storage may be switched off or full; then nothing is noticed, and nothing else is lost. */
function read(): Beginnings {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Beginnings) : {}
  } catch {
    return {}
  }
}

function write(beginnings: Beginnings): void {
  try {
    if (Object.keys(beginnings).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(beginnings))
  } catch {
    // See `read`.
  }
}

let hung: Beginnings = {}

/** Takes over what the tab's last page left unfinished. Returns it as pairs of part and release. */
export function takeUnfinished(): readonly (readonly [part: string, releaseId: string])[] {
  const unfinished = Object.entries(read())
    .filter(
      ([entry, releaseId]) =>
        /^[a-z0-9-]{1,60} \.\/(?:App|cards|search)$/.test(entry) && /^[0-9a-f]{16}$/.test(releaseId),
    )
    .map(([entry, releaseId]) => [entry.split(' ')[0] ?? '', releaseId] as const)
  hung = Object.fromEntries(unfinished)
  write({})
  window.addEventListener('pagehide', () => write({}))
  return unfinished
}

/** Whether this very release held up the tab's last page, and nobody has asked for it again since. */
export const hasHung = (part: string, releaseId: string): boolean => hung[part] === releaseId

/** The user asks for the part although it hung. */
export function forgiveHang(part: string): void {
  const { [part]: _forgiven, ...others } = hung
  hung = others
}

/** Notes it twice: for the tab's next page, and with a worker, which can tell while this page cannot. */
export function noteBeginning(part: string, module: Module, releaseId: string): void {
  const id = `${part} ${module}`
  write({ ...read(), [id]: releaseId })
  // A page with overrides says nothing about the releases that others get.
  if (overrides().length === 0) ground()?.begin({ id, part, releaseId, report: reportAddress() })
}

/** The part is drawn and the page still answers, or it failed and says so, or it was left. */
export function noteEnd(part: string, module: Module): void {
  const { [`${part} ${module}`]: _ended, ...others } = read()
  write(others)
  ground()?.end(`${part} ${module}`)
}
