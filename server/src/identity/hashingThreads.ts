import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** One task of a hashing thread. */
export type HashingTask =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hashed: string }

export interface HashingThreads {
  hash(password: string, cost: Options): Promise<string>
  verify(password: string, hashed: string): Promise<boolean>
  close(): Promise<void>
}

/**
 * Threads of low priority that hash and do nothing else: all other work of the processor comes first, and the threads
 * that read files stay free (P18). Started when they are first needed.
 */
export function startHashingThreads(): HashingThreads {
  const idle: Worker[] = []
  const all = new Set<Worker>()

  const start = (): Worker => {
    const thread = new Worker(new URL('./hashing.thread.ts', import.meta.url))
    all.add(thread)
    thread.once('exit', () => all.delete(thread))
    return thread
  }
  const run = async (task: HashingTask): Promise<unknown> => {
    const thread = idle.pop() ?? start()
    thread.ref()
    const result = await runTask(thread, task)
    // A waiting thread does not keep the process alive.
    thread.unref()
    idle.push(thread)
    return result
  }

  return {
    hash: async (password, cost) => (await run({ kind: 'hash', password, cost })) as string,
    verify: async (password, hashed) => (await run({ kind: 'verify', password, hashed })) as boolean,
    close: async () => {
      idle.length = 0
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

/** A thread that fails ends; the next task gets a new one. */
function runTask(thread: Worker, task: HashingTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      done()
    }
    const onMessage = (result: unknown): void => settle(() => resolve(result))
    const onError = (error: unknown): void =>
      settle(() => reject(error instanceof Error ? error : new Error('hashing failed')))
    const onExit = (): void => settle(() => reject(new Error('The server stops.')))
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    thread.postMessage(task)
  })
}
