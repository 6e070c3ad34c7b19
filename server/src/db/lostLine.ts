import { isPlanOutdated } from './prepared.ts'

/** SQLSTATE of PostgreSQL (appendix A of its manual), or what Node says of a line. */
const lost =
  /^(?:08...|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

/** The connection broke or could not be made: nothing is wrong with what was asked. */
export function isLineLost(cause: unknown): boolean {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === 'string' && lost.test(code)) return true
  return (
    typeof message === 'string' &&
    /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
      message,
    )
  )
}

/** It was the one that takes writes until a moment ago, or never was. */
export const takesNoWrites = (cause: unknown): boolean => (cause as { code?: unknown } | null)?.code === '25006'

/**
 * PostgreSQL has undone the transaction so that others could end theirs (serialization, deadlock), or because it met a
 * plan of before a migration.
 */
export const isUndone = (cause: unknown): boolean =>
  ['40001', '40P01'].includes(String((cause as { code?: unknown } | null)?.code)) || isPlanOutdated(cause)
