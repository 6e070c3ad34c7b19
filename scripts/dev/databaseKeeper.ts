import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import {
  startWorker,
  type EmbeddedAnswer,
  type EmbeddedStart,
  type EmbeddedStep,
} from '../../server/src/db/embedded.ts'
import { lockFolder } from '../../server/src/db/folderLock.ts'
import type { KeeperMessage } from './keptDatabase.ts'

type Answer = (reply: EmbeddedAnswer) => void

interface Pending {
  readonly kind: EmbeddedStep['kind'] | 'open'
  /** Undefined when the server that asked is gone. */
  answer: Answer | undefined
}

/** How long a statement may go on that a server left behind. */
const leftMs = 1000

/**
 * Has the embedded database open for one server after the other: opening it takes longer, and more of the processor,
 * than everything else of a start. What a server leaves open is rolled back, as if its thread had ended with it.
 */
export class DatabaseKeeper {
  #thread: Worker | undefined
  #opened: Promise<EmbeddedAnswer> | undefined
  #unlock: (() => void) | undefined
  /** Two threads on one folder would lose rows. */
  #ending = Promise.resolve()
  /** The server before is gone, and what it said is heard. */
  #left = Promise.resolve()
  #last = 0
  readonly #pending = new Map<number, Pending>()

  serve(server: ChildProcess): void {
    const tell = (reply: EmbeddedAnswer): void => void (server.connected && server.send(reply))
    const own = new Set<Pending>()
    const before = this.#left
    // After everything that it said; a server that is killed says nothing more.
    const over = new Promise<void>((resolve) => server.once('disconnect', () => resolve()))
    this.#left = over.then(() => {
      for (const pending of own) pending.answer = undefined
      this.#ask({ kind: 'rollback' }, undefined)
    })
    server.on('message', (message: KeeperMessage) => {
      if (message.kind === 'listening') return
      if (message.kind === 'open') void before.then(() => this.#open(message.start)).then(tell)
      else if (message.kind === 'end') void this.#end()
      else {
        const { id, ...step } = message
        // A server closes the database for itself; its transaction is over then.
        const pending = this.#ask(step.kind === 'close' ? { kind: 'rollback' } : step, (reply) => {
          own.delete(pending)
          tell({ ...reply, id })
        })
        own.add(pending)
      }
    })
  }

  /** Closes the folder; the next server opens it, by the sources as they then are. */
  async close(): Promise<void> {
    if (this.#thread) {
      const closed = new Promise<unknown>((resolve) => this.#ask({ kind: 'close' }, resolve))
      await Promise.race([closed, pause(leftMs, undefined, { ref: false })])
      await this.#end()
    }
    this.#unlock?.()
    this.#unlock = undefined
  }

  async #open(start: EmbeddedStart): Promise<EmbeddedAnswer> {
    try {
      this.#unlock ??= lockFolder(start.folder)
    } catch (error) {
      const { name, message } = error as Error
      return { id: 0, error: { name, message } }
    }
    for (const began = performance.now(); this.#isLeft() && this.#thread; await pause(5))
      if (performance.now() - began > leftMs) await this.#end()
    await this.#ending
    this.#opened ??= this.#start(start)
    const opened = await this.#opened
    if ('error' in opened) await this.#end()
    return opened
  }

  #start(start: EmbeddedStart): Promise<EmbeddedAnswer> {
    const thread = startWorker(start)
    this.#thread = thread
    const opened = new Promise<EmbeddedAnswer>((resolve) => this.#pending.set(0, { kind: 'open', answer: resolve }))
    thread.on('message', (reply: EmbeddedAnswer) => this.#hear(reply))
    thread.on('error', (error: unknown) => {
      if (this.#thread === thread) this.#fail(String((error as Error).message))
    })
    return opened
  }

  #isLeft(): boolean {
    return [...this.#pending.values()].some(({ kind, answer }) => answer === undefined && kind !== 'open')
  }

  #ask(step: EmbeddedStep, answer: Answer | undefined): Pending {
    const pending: Pending = { kind: step.kind, answer }
    if (!this.#thread) {
      // As of a thread that has ended.
      queueMicrotask(() => pending.answer?.({ id: 0, error: { message: 'The embedded database is closed.' } }))
      return pending
    }
    this.#last += 1
    this.#pending.set(this.#last, pending)
    this.#thread.postMessage({ id: this.#last, ...step })
    return pending
  }

  #hear(reply: EmbeddedAnswer): void {
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    // The server that began it is gone.
    if (pending?.kind === 'begin' && !pending.answer && 'result' in reply) this.#ask({ kind: 'rollback' }, undefined)
    pending?.answer?.(reply)
  }

  #fail(message: string): void {
    this.#thread = undefined
    this.#opened = undefined
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const { answer } of waiting) answer?.({ id: 0, error: { message } })
  }

  #end(): Promise<void> {
    const thread = this.#thread
    this.#fail('The embedded database is closed.')
    return (this.#ending = this.#ending.then(async () => void (await thread?.terminate())))
  }
}
