import { Worker } from 'node:worker_threads'
import type { PGlite, Results } from '@electric-sql/pglite'

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

/**
 * Opens the embedded database of a folder in a thread of its own: what it computes and the disk it waits for hold up no
 * answer that needs neither.
 * @throws what PGlite says when the folder cannot be opened.
 */
export async function openEmbedded(folder: string): Promise<Embedded> {
  const thread = new Worker(new URL('./embedded.thread.ts', import.meta.url), { workerData: folder })
  const { ask, isOpen, isOver } = talkTo(thread)
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
      await ask({ kind: 'begin' })
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
      await ask({ kind: 'close' })
      await thread.terminate()
    },
  }
}

interface Talk {
  ask(step: EmbeddedStep): Promise<unknown>
  /** The thread's first word: the folder is open. */
  readonly isOpen: Promise<void>
  isOver(): boolean
}

/** Questions by number; whatever is unanswered when the thread ends has failed. */
function talkTo(thread: Worker): Talk {
  const pendingCalls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let last = 0
  let endError: Error | undefined
  const end = (error: Error): void => {
    endError ??= error
    for (const request of pendingCalls.values()) request.reject(endError)
    pendingCalls.clear()
  }
  thread.on('message', (reply: EmbeddedAnswer) => {
    const pending = pendingCalls.get(reply.id)
    pendingCalls.delete(reply.id)
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(Object.assign(new Error(reply.error.message), reply.error))
  })
  thread.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  thread.on('exit', () => end(new Error('The embedded database is closed.')))

  const answerTo = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => pendingCalls.set(id, { resolve, reject }))
  return {
    ask: (step) => {
      if (endError) return Promise.reject(endError)
      last += 1
      thread.postMessage({ id: last, ...step })
      return answerTo(last)
    },
    isOpen: answerTo(0) as Promise<void>,
    isOver: () => endError !== undefined,
  }
}
