import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Server } from '../app.ts'

interface Added {
  /** Where the product added it. */
  readonly place: string
  /** The transaction, which may be undone yet. */
  readonly xid: string
  isCommitted: boolean
}

/** Of one request, or of all work without one: the kinds of jobs that wait for somebody to be woken. */
type Waiting = Map<string, Added>

const isOfProduct = (place: string): boolean =>
  /\/server\/src\/(?!db\/jobs\.|outside\/mail\.)/.test(place) && !/\/testing\/|InTests\.|\.test\./.test(place)

/**
 * Watches whether whoever adds jobs wakes somebody for them. A server looks by itself after some seconds, so that a
 * forgotten call shows in no test that waits for the outcome.
 *
 * @returns what nobody was woken for, once the server has closed
 */
export function watchWakes({ app, deps: { db, jobs } }: Server): () => string[] {
  const all: Waiting[] = []
  const begin = (): Waiting => {
    const waiting: Waiting = new Map()
    all.push(waiting)
    return waiting
  }
  const withoutRequest = begin()
  const current = new AsyncLocalStorage<Waiting>()
  const getWaiting = () => current.getStore() ?? withoutRequest
  app.addHook('onRequest', (_request, _reply, done) => current.run(begin(), done))
  const { add, wake, work } = jobs
  jobs.add = async (trx, kind, some) => {
    const place = (new Error().stack ?? '').split('\n').find(isOfProduct)?.trim()
    await add(trx, kind, some)
    const isDue = some.some(({ afterSeconds = 0 }) => afterSeconds === 0)
    if (!isDue || place === undefined) return
    const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(trx)
    getWaiting().set(kind, { place, xid: rows[0]?.xid ?? '', isCommitted: false })
  }
  jobs.wake = (kind) => {
    getWaiting().delete(kind)
    wake(kind)
  }
  // Whoever begins to work looks at once.
  jobs.work = async (kind, ...how) => {
    await work(kind, ...how)
    getWaiting().delete(kind)
  }
  // Asked while the database is there; who is woken afterwards is no longer among those that wait.
  app.addHook('onClose', async () => {
    for (const added of all.flatMap((waiting) => [...waiting.values()])) {
      const status = sql<{ status: string | null }>`select pg_xact_status(${added.xid}::xid8) as status`
      added.isCommitted = (await status.execute(db)).rows[0]?.status === 'committed'
    }
  })
  return () =>
    all
      .flatMap((waiting) => [...waiting])
      .filter(([, { isCommitted }]) => isCommitted)
      .map(([kind, { place }]) => `a job (${kind}) that nobody was woken for ${place}`)
}
