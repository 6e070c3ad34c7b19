import { Worker } from 'node:worker_threads'
import type { PGlite, Results } from '@electric-sql/pglite'
import { talkTo, type Talk } from './embeddedTalk.ts'
import { DatabaseAway, patiently } from './patience.ts'

/** The interface of the embedded database. PGlite itself implements it, and so does one in a thread of its own. */
export type Embedded = Pick<PGlite, 'query' | 'exec' | 'close' | 'closed' | 'ready' | 'waitReady'> & {
  transaction<T>(work: (inside: Pick<PGlite, 'query'> & { rollback(): Promise<void> }) => Promise<T>): Promise<T>
  /** Of one in memory: everything in it, as a file. */
  readonly dumpDataDir?: PGlite['dumpDataDir']
}

/** One step for the thread. `inside` of the transaction that was begun last, or outside of any. */
export type EmbeddedStep =
  | { readonly kind: 'query'; readonly text: string; readonly values: unknown[] | undefined; readonly inside: boolean }
  | { readonly kind: 'exec'; readonly text: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'close' }

export type EmbeddedAnswer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly name?: string; readonly message: string } }
)

/** The thread that has the folder open, or whoever keeps it. */
export interface DatabaseThread {
  on(event: 'message', hear: (reply: EmbeddedAnswer) => void): unknown
  on(event: 'error', hear: (error: unknown) => void): unknown
  on(event: 'exit', hear: () => void): unknown
  postMessage(step: { readonly id: number } & EmbeddedStep): void
  terminate(): Promise<unknown>
}

export interface EmbeddedOptions {
  /** Who has the thread in place of this process has the folder's lock, too. */
  readonly startThread?: ((start: EmbeddedStart) => DatabaseThread) | undefined
  /** Below so many free bytes nothing is written: PGlite never answers again when it finds no room for its log. */
  readonly leastFreeBytes?: number
  /** Called when a statement that would not end was ended with its thread, and the folder is open again. */
  readonly onReopened?: (() => void) | undefined
  /** Called once when the thread has answered nothing for so long that it never will; only a new process helps. */
  readonly onStuck?: (() => void) | undefined
  readonly stuckMs?: number
}

/** For the thread. */
export interface EmbeddedStart {
  readonly folder: string
  readonly leastFreeBytes: number
}

/** Longer than any step of a request is waited for, and shorter than an operator's way to the machine. */
const defaultStuckMs = 60_000
/** How long a statement that only reads goes on after nobody waits for it any more. */
const overdueMs = 1_000

/**
 * Opens the embedded database of a folder in a thread of its own: what it computes and the disk it waits for hold up no
 * answer that needs neither. PGlite cannot cancel a statement, so one that only reads and does not end is ended with
 * the thread, and the folder is opened anew: as after a crash, everything that was answered is there.
 * @throws what PGlite says when the folder cannot be opened.
 */
export async function openEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const threads = keepThread(folder, options)
  const first = threads.current()
  try {
    await first.isOpen
  } catch (error) {
    await first.end(() => new Error('The embedded database did not open.'))
    throw error
  }
  const ask = (step: EmbeddedStep): Promise<unknown> => threads.current().ask(step)
  return {
    ready: true,
    waitReady: first.isOpen,
    get closed() {
      return threads.current().isOver() && !threads.reopening()
    },
    query: (text, values) => askQuery(ask, text, values, false),
    exec: (text) => ask({ kind: 'exec', text }) as Promise<Results[]>,
    // All steps go to the thread that began it: the next one knows nothing of it.
    transaction: (work) => runTransaction(threads.current().ask, work),
    close: async () => {
      await threads.reopening()
      const talk = threads.current()
      await patiently(() => talk.ask({ kind: 'close' }))
      await talk.end(() => new Error('The embedded database is closed.'))
    },
  }
}

type Ask = Talk['ask']

const askQuery = <T>(ask: Ask, text: string, values: unknown[] | undefined, inside: boolean): Promise<Results<T>> =>
  ask({ kind: 'query', text, values, inside }) as Promise<Results<T>>

async function runTransaction<T>(ask: Ask, work: Parameters<Embedded['transaction']>[0]): Promise<T> {
  // Kysely waits for ever for a transaction that does not begin, so the first step of this one says why.
  const failure = await ask({ kind: 'begin' }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (failure) return refuseWork(work, failure.error)
  let isRolledBack = false
  const rollback = async (): Promise<void> => {
    isRolledBack = true
    await ask({ kind: 'rollback' })
  }
  try {
    const result = await work({ query: (text, values) => askQuery(ask, text, values, true), rollback })
    if (!isRolledBack) await ask({ kind: 'commit' })
    return result as T
  } catch (error) {
    if (!isRolledBack) await rollback()
    throw error
  }
}

async function refuseWork<T>(work: Parameters<Embedded['transaction']>[0], error: unknown): Promise<T> {
  const refuse = (): Promise<never> => Promise.reject(error)
  await work({ query: refuse, rollback: async () => undefined })
  throw error
}

export const startWorker = (workerData: EmbeddedStart): Worker =>
  new Worker(new URL('./embedded.thread.ts', import.meta.url), { workerData })

interface Threads {
  current(): Talk
  /** Set while the one before was ended and the next one is not there yet. */
  reopening(): Promise<void> | undefined
}

/** One thread at a time: two on one folder would silently lose rows. */
function keepThread(
  folder: string,
  { leastFreeBytes = 0, onReopened, onStuck, stuckMs = defaultStuckMs, startThread = startWorker }: EmbeddedOptions,
): Threads {
  const watch = { onOverdue: () => void (reopening = reopen()), onStuck: () => onStuck?.(), overdueMs, stuckMs }
  const start = (): Talk => talkTo(startThread({ folder, leastFreeBytes }), watch)
  let reopening: Promise<void> | undefined
  let talk = start()
  const reopen = async (): Promise<void> => {
    // A disk that does not respond holds the end of the old thread up, or the beginning of the new one.
    const timer = setTimeout(() => onStuck?.(), stuckMs)
    try {
      await talk.end(() => new DatabaseAway())
      const next = start()
      await next.isOpen
      talk = next
      reopening = undefined
      onReopened?.()
    } catch {
      onStuck?.()
    } finally {
      clearTimeout(timer)
    }
  }
  return { current: () => talk, reopening: () => reopening }
}
