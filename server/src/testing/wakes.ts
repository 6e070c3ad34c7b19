import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from '../app.ts'

/** Of one request, or of all work without one: the kinds of jobs that wait for somebody to be woken, with where. */
type Waiting = Map<string, string>

const isOfProduct = (place: string): boolean =>
  /\/server\/src\/(?!db\/jobs\.|outside\/mail\.)/.test(place) && !/\/testing\/|InTests\.|\.test\./.test(place)

/**
 * Watches whether whoever adds jobs wakes somebody for them. A server looks by itself after some seconds, so that a
 * forgotten call shows in no test that waits for the outcome.
 *
 * @returns what nobody was woken for, once the server has closed
 */
export function watchWakes({ app, deps: { jobs } }: Server): () => string[] {
  const all: { readonly waiting: Waiting; hasFailed: boolean }[] = []
  const begin = () => {
    const work = { waiting: new Map<string, string>(), hasFailed: false }
    all.push(work)
    return work
  }
  const withoutRequest = begin()
  const current = new AsyncLocalStorage<typeof withoutRequest>()
  const getWork = () => current.getStore() ?? withoutRequest
  app.addHook('onRequest', (_request, _reply, done) => current.run(begin(), done))
  // What it added is undone with its transaction.
  app.addHook('onResponse', async (_request, reply) => {
    if (reply.statusCode >= 400) getWork().hasFailed = true
  })
  const { add, wake, work } = jobs
  jobs.add = async (trx, kind, some) => {
    const place = (new Error().stack ?? '').split('\n').find(isOfProduct)?.trim()
    await add(trx, kind, some)
    const isDue = some.some(({ afterSeconds = 0 }) => afterSeconds === 0)
    if (isDue && place !== undefined) getWork().waiting.set(kind, place)
  }
  jobs.wake = (kind) => {
    getWork().waiting.delete(kind)
    wake(kind)
  }
  // Whoever begins to work looks at once.
  jobs.work = async (kind, ...how) => {
    await work(kind, ...how)
    getWork().waiting.delete(kind)
  }
  return () =>
    all.flatMap(({ waiting, hasFailed }) =>
      hasFailed ? [] : [...waiting].map(([kind, place]) => `a job (${kind}) that nobody was woken for ${place}`),
    )
}
