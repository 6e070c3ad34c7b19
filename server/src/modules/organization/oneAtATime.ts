import { StartFailure } from '../../core/StartFailure.ts'
import type { Database } from '../../db/client.ts'

/** Somebody else moves everything of the organization. */
export class Busy extends StartFailure {}

/** Organizations of which this process moves everything at the moment. */
const moving = new Set<string>()

/**
 * One export or import of an organization at a time, over all processes that share its database. `work` gets a signal
 * that also ends it where the connection was cut that holds its place: somebody else may have taken that by then.
 */
export async function oneAtATime<T>(
  { pool }: Pick<Database, 'pool'>,
  { id, name }: { readonly id: string; readonly name: string },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const busy = new Busy(`An export or import of ${name} is under way. Wait for it, or stop it first.`)
  if (moving.has(id)) throw busy
  moving.add(id)
  try {
    if (!pool) return await work(signal)
    // The lock ends with the connection, also when this process is killed. Of a transaction, since a pooler gives the
    // session to somebody else; one that has read nothing since keeps nothing from being cleaned up.
    const client = await pool.connect()
    const cut = new AbortController()
    client.once('error', () =>
      cut.abort(new StartFailure('The database was away for a moment. Start again: what is done stays done.')),
    )
    try {
      await client.query('begin')
      const text = `select pg_try_advisory_xact_lock(hashtext('organization moves'), hashtext($1)) as free`
      const { rows } = await client.query<{ free: boolean }>(text, [id])
      if (rows[0]?.free !== true) throw busy
      return await work(AbortSignal.any([signal, cut.signal]))
    } finally {
      // Whoever asks next finds it free: the end of a connection alone takes the database a moment.
      await client.query('rollback').catch(() => undefined)
      client.release(true)
    }
  } finally {
    moving.delete(id)
  }
}
