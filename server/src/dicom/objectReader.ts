import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Busy } from '../core/errors.ts'
import { FairTurns, type Turn } from '../core/fairTurns.ts'
import { createBufferSource, type ByteSource } from './byteSource.ts'
import { readingLimits } from './limits.ts'
import type { TaskInput, TaskName, TaskResult } from './readerTasks.ts'
import { DicomRefusal, type RefusalReason } from './refusal.ts'
import { copyBytes, listOwnMemory } from './threadBytes.ts'

/** What the answering thread sends to a reading thread. */
export type ReaderMessage =
  | {
      readonly kind: 'task'
      readonly task: TaskName
      readonly input: unknown
      readonly size: number
      /** The beginning of the object, so that most need no further exchange. */
      readonly first: Uint8Array
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }

/** And what comes back. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly offset: number; readonly length: number }
  | { readonly kind: 'scratch'; readonly path: string }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly sentence: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface ReadingOptions {
  readonly turn: Turn
  readonly source?: ByteSource
  /** Time for the work itself; waiting for bytes does not count. */
  readonly timeoutMs?: number
}

/** Reading took longer than it may, or more memory; the thread was ended. */
export class ReadingTooCostly extends Busy {
  constructor(what: 'time' | 'memory') {
    const sentence = `Reading this object takes more ${what} than the server allows.`
    super(`${sentence} Please try again later, or download the scan.`, 30, true)
  }
}

const prefetchBytes = 64 * 1024
const nothing = createBufferSource(Buffer.alloc(0))

/**
 * Threads in which objects are walked, inflated, parsed and converted: what one object costs is lost by nobody but its
 * sender (P12, P18). Turns are fair; a thread that works too long or takes too much memory is ended, and the
 * next object
 * gets a new one.
 */
export class ObjectReader {
  readonly #scratchFolder: string
  readonly #timeoutMs: number
  readonly #turns = new FairTurns({
    atOnce: readingLimits.threads,
    perCustomer: readingLimits.threadsPerCustomer,
    perPerson: readingLimits.threadsPerPerson,
    waitingPerPerson: readingLimits.waitingPerPerson,
  })
  readonly #idle: ReadingThread[] = []
  readonly #all = new Set<ReadingThread>()

  constructor(scratchFolder: string, timeoutMs: number) {
    this.#scratchFolder = scratchFolder
    this.#timeoutMs = timeoutMs
  }

  /** Throws `DicomRefusal` as the task does, or the refusals `ReadingTooCostly` and `TooManyWaiting`. */
  run<K extends TaskName>(task: K, input: TaskInput<K>, options: ReadingOptions): Promise<TaskResult<K>> {
    return this.#turns.run(options.turn, async () => {
      const thread = this.#idle.pop() ?? this.#start()
      const result = await thread.run(task, input, options.source ?? nothing, options.timeoutMs ?? this.#timeoutMs)
      return result as TaskResult<K>
    })
  }

  /** For stored objects, of which an earlier version may have taken in heavier ones. */
  runStored<K extends TaskName>(task: K, input: TaskInput<K>, options: ReadingOptions): Promise<TaskResult<K>> {
    return this.run(task, input, { timeoutMs: this.#timeoutMs * readingLimits.storedSecondsFactor, ...options })
  }

  async close(): Promise<void> {
    this.#idle.length = 0
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #start(): ReadingThread {
    const thread = new ReadingThread(this.#scratchFolder, {
      onIdle: () => this.#idle.push(thread),
      onEnd: () => {
        this.#all.delete(thread)
        const at = this.#idle.indexOf(thread)
        if (at >= 0) this.#idle.splice(at, 1)
      },
    })
    this.#all.add(thread)
    return thread
  }
}

/** One thread, with at most one task. */
class ReadingThread {
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #onIdle: () => void
  readonly #onEnd: () => void
  #onMessage: (message: ThreadMessage) => void = () => undefined
  #fail: (cause: unknown) => void = () => undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(scratchFolder: string, { onIdle, onEnd }: { onIdle: () => void; onEnd: () => void }) {
    this.#onIdle = onIdle
    this.#onEnd = onEnd
    this.#worker = new Worker(new URL('./objectReader.worker.ts', import.meta.url), {
      workerData: { scratchFolder },
      resourceLimits: { maxOldGenerationSizeMb: readingLimits.threadMegabytes },
    })
    this.#worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'ready') this.#ready.resolve()
      else this.#onMessage(message)
    })
    this.#worker.on('error', (cause) => {
      const isMemory = (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#fail(isMemory ? new ReadingTooCostly('memory') : cause)
    })
    this.#worker.on('exit', () => {
      onEnd()
      this.#isEnded = true
      this.#fail(new Error('The reading thread was ended.'))
    })
  }

  async run(task: TaskName, input: unknown, source: ByteSource, timeoutMs: number): Promise<unknown> {
    clearTimeout(this.#idleTimer)
    this.#worker.ref()
    const scratchFiles: string[] = []
    try {
      const first = await source.read(0, prefetchBytes)
      await this.#started()
      const result = await this.#work({ task, input, size: source.size, first }, source, timeoutMs, scratchFiles)
      this.#rest()
      return result
    } catch (cause) {
      if (cause instanceof DicomRefusal) this.#rest()
      else await this.end()
      throw cause
    } finally {
      await Promise.all(scratchFiles.map((path) => rm(path, { force: true })))
    }
  }

  /** Starting is no part of the work, and its time does not count. */
  #started(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      if (this.#isEnded) reject(new Error('The reading thread was ended.'))
      this.#ready.promise.then(resolve, reject)
    })
  }

  #work(
    task: Omit<Extract<ReaderMessage, { kind: 'task' }>, 'kind'>,
    source: ByteSource,
    timeoutMs: number,
    scratchFiles: string[],
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let leftMs = timeoutMs
      let since = performance.now()
      let timer: NodeJS.Timeout | undefined
      const startClock = (): void => {
        since = performance.now()
        timer = setTimeout(() => settle(() => reject(new ReadingTooCostly('time'))), leftMs)
      }
      const stopClock = (): void => {
        clearTimeout(timer)
        leftMs = Math.max(1, leftMs - (performance.now() - since))
      }
      const settle = (done: () => void): void => {
        clearTimeout(timer)
        this.#onMessage = () => undefined
        done()
      }
      this.#fail = (cause) => settle(() => reject(cause))
      this.#onMessage = (message) => {
        if (message.kind === 'read') {
          stopClock()
          source.read(message.offset, message.length).then(
            (bytes) => {
              this.#send({ kind: 'bytes', bytes })
              startClock()
            },
            (cause: unknown) => settle(() => reject(cause)),
          )
        } else if (message.kind === 'scratch') scratchFiles.push(message.path)
        else if (message.kind === 'done') settle(() => resolve(message.result))
        else if (message.kind === 'refused') settle(() => reject(new DicomRefusal(message.reason, message.sentence)))
        else if (message.kind === 'failed') settle(() => reject(new Error(message.message)))
      }
      this.#send({ kind: 'task', ...task })
      startClock()
    })
  }

  #send(message: ReaderMessage): void {
    const own = copyBytes(message)
    this.#worker.postMessage(own, listOwnMemory(own))
  }

  #rest(): void {
    // A waiting thread does not keep the process alive.
    this.#worker.unref()
    this.#idleTimer = setTimeout(() => void this.end(), readingLimits.idleMs).unref()
    this.#fail = () => undefined
    this.#onIdle()
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    // Ending takes a moment, in which it gets no object any more.
    this.#onEnd()
    await this.#worker.terminate()
  }
}
