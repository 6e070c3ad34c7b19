import { CompiledQuery } from 'kysely'
import type { Source } from './client.ts'

const names = new Map<string, string>()

/** Under which name a connection keeps the plan of the statement; undefined for all that is planned each time. */
export const nameOf = (text: string): string | undefined => names.get(text)

/**
 * A statement of what is done for each object: built once, and planned once for each connection. Its text never
 * changes, so lists go in as arrays. Every connection keeps every plan, and a plan knows nothing of the values: for few
 * statements, which find their rows by a key. Columns are named one by one, or a new one would outdate the plan.
 *
 * @example
 * const findStatus = prepared<{ status: string }>('select status from organizations where id = $1')
 * const [row] = await findStatus(db, [organizationId])
 */
export function prepared<Row>(text: string): (source: Source, values: readonly unknown[]) => Promise<readonly Row[]> {
  names.set(text, `dmp${names.size}`)
  return async (source, values) => (await source.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/** A migration changed the type of a column while servers ran. */
export const isPlanOutdated = (cause: unknown): boolean => {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return code === '0A000' && /cached plan must not change/.test(String(message))
}
