import { Worker } from 'node:worker_threads'
import type { PGlite, Results } from '@electric-sql/pglite'
import { DatabaseAway, patiently, stepTimeoutMs } from './patience.ts'

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
  | { readonly error: { readonly message: string } }
)

export interface EmbeddedOptions {
  /** Below so many free bytes nothing is written: PGlite never answers again when it finds no room for its log. */
  readonly leastFreeBytes?: number
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

/**
 * Opens the embedded database of a folder in a thread of its own: what it computes and the disk it waits for hold up no
 * answer that needs neither.
 * @throws what PGlite says when the folder cannot be opened.
 */
export async function openEmbedded(
  folder: string,
  { leastFreeBytes = 0, onStuck, stuckMs = defaultStuckMs }: EmbeddedOptions = {},
): Promise<Embedded> {
  const workerData: EmbeddedStart = { folder, leastFreeBytes }
  const thread = new Worker(new URL('./embedded.thread.ts', import.meta.url), { workerData })
  const { ask, isOpen, isOver } = talkTo(thread, { onStuck, stuckMs })
  const query = <T>(text: string, values: unknown[] | undefined, inside: boolean): Promise<Results<T>> =>
    ask({ kind: 'query', text, values, inside }) as Promise<Results<T>>
  try {
    await isOpen
  } catch (error) {
    await thread.terminate()
    throw error
  }
  return {
    ready: true,
    waitReady: isOpen,
    get closed() {
      return isOver()
    },
    query: (text, values) => query(text, values, false),
    exec: (text) => ask({ kind: 'exec', text }) as Promise<Results[]>,
    transaction: async (work) => {
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
        const result = await work({ query: (text, values) => query(text, values, true), rollback })
        if (!isRolledBack) await ask({ kind: 'commit' })
        return result
      } catch (error) {
        if (!isRolledBack) await rollback()
        throw error
      }
    },
    close: async () => {
      await patiently(() => ask({ kind: 'close' }))
      await thread.terminate()
    },
  }
}

async function refuseWork<T>(work: Parameters<Embedded['transaction']>[0], error: unknown): Promise<T> {
  const refuse = (): Promise<never> => Promise.reject(error)
  await work({ query: refuse, rollback: async () => undefined })
  throw error
}

interface Talk {
  ask(step: EmbeddedStep): Promise<unknown>
  /** The thread's first word: the folder is open. */
  readonly isOpen: Promise<void>
  isOver(): boolean
}

interface PendingCall {
  resolve(result: unknown): void
  reject(error: Error): void
  /** When it is given up, in milliseconds of the process. */
  readonly due: number
  readonly kind: EmbeddedStep['kind'] | 'open'
  isGivenUp: boolean
}

/**
 * Questions by number; whatever is unanswered when the thread ends has failed. A question that takes too long is given
 * up and those behind it are refused at once; the thread goes on, and its next answer ends this.
 */
function talkTo(thread: Worker, watch: Pick<EmbeddedOptions, 'onStuck'> & { readonly stuckMs: number }): Talk {
  const pendingCalls = new Map<number, PendingCall>()
  const watcher = watchAnswers(pendingCalls, watch)
  let last = 0
  let endError: Error | undefined
  const end = (error: Error): void => {
    endError ??= error
    watcher.close()
    for (const request of pendingCalls.values()) request.reject(endError)
    pendingCalls.clear()
  }
  thread.on('message', (reply: EmbeddedAnswer) => {
    watcher.answered()
    const pending = pendingCalls.get(reply.id)
    pendingCalls.delete(reply.id)
    // Nobody is there any more to end it.
    if (pending?.kind === 'begin' && pending.isGivenUp && 'result' in reply)
      thread.postMessage({ id: (last += 1), kind: 'rollback' })
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(Object.assign(new Error(reply.error.message), reply.error))
  })
  thread.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  thread.on('exit', () => end(new Error('The embedded database is closed.')))

  const answerTo = (id: number, kind: PendingCall['kind']): Promise<unknown> =>
    new Promise((resolve, reject) =>
      pendingCalls.set(id, { resolve, reject, kind, due: performance.now() + stepTimeoutMs(), isGivenUp: false }),
    )
  return {
    ask: (step) => {
      if (endError) return Promise.reject(endError)
      const isRollback = step.kind === 'rollback'
      if (watcher.isSilent() && !isRollback && step.kind !== 'close') return Promise.reject(new DatabaseAway())
      last += 1
      thread.postMessage({ id: last, ...step })
      // To be done as soon as the thread goes on, without anybody waiting for it.
      if (watcher.isSilent() && isRollback) return Promise.resolve()
      return answerTo(last, step.kind)
    },
    isOpen: patiently(() => answerTo(0, 'open')) as Promise<void>,
    isOver: () => endError !== undefined,
  }
}

interface AnswerWatch {
  answered(): void
  /** A call was given up since the last answer. */
  isSilent(): boolean
  close(): void
}

const lookMs = 250

/** Gives up calls that are due, and tells when the thread has been silent for too long. */
function watchAnswers(
  pendingCalls: ReadonlyMap<number, PendingCall>,
  { onStuck, stuckMs }: { readonly onStuck?: (() => void) | undefined; readonly stuckMs: number },
): AnswerWatch {
  let lastAnswer = performance.now()
  let isSilent = false
  const timer = setInterval(() => {
    const now = performance.now()
    for (const call of pendingCalls.values()) {
      if (call.due > now || call.isGivenUp) continue
      call.isGivenUp = true
      isSilent = true
      call.reject(new DatabaseAway())
    }
    // The thread works in order: the oldest call is the one that it is at.
    const [oldest] = pendingCalls.values()
    if (!oldest || now - Math.max(lastAnswer, oldest.due) < stuckMs) return
    clearInterval(timer)
    onStuck?.()
  }, lookMs)
  timer.unref()
  return {
    answered: () => {
      lastAnswer = performance.now()
      isSilent = false
    },
    isSilent: () => isSilent,
    close: () => clearInterval(timer),
  }
}
