import { Worker } from 'node:worker_threads'
import type { DecodingJob, PictureJob, PictureResult } from './drawing.thread.ts'
import { NoPicture } from './noPicture.ts'

/**
 * One thread that draws, one picture at a time. Decoders run on untrusted bytes, so one that hangs or dies is ended
 * with its thread and takes nothing with it; the next picture gets a new thread.
 */
export class DrawingThread {
  readonly #jobTimeoutMs: number
  readonly #idleTimeoutMs: number
  #worker: Worker | undefined
  #settle: ((result: PictureResult) => void) | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(jobTimeoutMs: number, idleTimeoutMs: number) {
    this.#jobTimeoutMs = jobTimeoutMs
    this.#idleTimeoutMs = idleTimeoutMs
  }

  async draw(job: PictureJob | DecodingJob): Promise<Buffer> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    const pending = Promise.withResolvers<PictureResult>()
    this.#settle = pending.resolve
    const timer = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
      pending.resolve({ problem: 'Drawing took too long.' })
    }, this.#jobTimeoutMs)
    // Moved, not copied: the frame is in memory once.
    worker.postMessage(job, [job.frame])
    const result = await pending.promise
    clearTimeout(timer)
    this.#settle = undefined
    this.#idle = setTimeout(() => void this.close(), this.#idleTimeoutMs).unref()
    if ('problem' in result) throw new NoPicture(result.problem)
    return Buffer.from(result.image)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    // A request that comes while the thread ends gets a new thread.
    this.#worker = undefined
    this.#settle?.({ problem: 'The drawing thread was stopped.' })
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./drawing.thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const fail = (): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#settle?.({ problem: 'The pixels cannot be decoded.' })
    }
    // A thread that was given up may still send the result of an earlier job.
    worker.on('message', (result: PictureResult) => this.#worker === worker && this.#settle?.(result))
    worker.on('error', fail)
    worker.on('exit', fail)
    // The thread must not keep a finished process alive.
    worker.unref()
    return worker
  }
}
