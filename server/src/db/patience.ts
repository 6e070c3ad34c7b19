import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * How long one step of the database may take before its caller gives up: somebody waits for the answer of a request,
 * nobody for that of a migration.
 */
const stepMs = 8000

const patience = new AsyncLocalStorage<number>()

/** Work that nobody waits for, and whose single steps may take long: migrations, retention, walks over everything. */
export const patiently = <T>(work: () => T, minutes = 15): T => patience.run(minutes * 60_000, work)

export const stepTimeoutMs = (): number => patience.getStore() ?? stepMs

/** As PostgreSQL says it of a server that cannot be reached: answered with 503, and the caller may try again. */
export class DatabaseAway extends Error {
  readonly code = '57P03'

  constructor(cause?: unknown) {
    super('The database does not answer.', { cause })
    this.name = 'DatabaseAway'
  }
}

/** PostgreSQL ended a statement whose time was over: elsewhere it would take as long once more. */
export const isTooLong = (cause: unknown): boolean => (cause as { code?: unknown } | null)?.code === '57014'
