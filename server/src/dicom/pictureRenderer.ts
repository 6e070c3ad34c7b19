import { availableParallelism } from 'node:os'
import { FairQueue, type FullQueue, type TurnOwner } from '../core/fairQueue.ts'
import type { DecodingJob, PictureJob } from './drawing.thread.ts'
import { DrawingThread } from './drawingThread.ts'
import { NoPicture, TooManyPictures } from './noPicture.ts'

/** The numbers that bound drawing, all of them. */
export const drawingLimits = {
  /** Pictures that wait hold no frame, so many may: an image viewer asks for a whole series at once. */
  waiting: { perPerson: 240, perOrganization: 1024, inAll: 4096 },
  /** Estimated memory of all drawings under way. */
  bytes: 768 * 2 ** 20,
  jobTimeoutMs: 20_000,
  /** An idle thread is ended after this time, with the memory of its decoders. */
  idleTimeoutMs: 30_000,
  /**
   * After a drawing of so much memory its organization waits as long again: somebody who asks for one huge picture
   * after the other leaves half of the machine to everybody else.
   */
  largeBytes: 48 * 2 ** 20,
  longestRestMs: 2000,
} as const

/** A processor is left for answers; more than four threads would cost more memory than they gain. */
const defaultThreads = (): number => Math.min(4, Math.max(2, availableParallelism() - 1))

const sentences: Readonly<Record<FullQueue, string>> = {
  perPerson: 'You asked for too many images at once. Please try again in a few seconds.',
  perOrganization: 'Your organization asked for too many images at once. Please try again in a few seconds.',
  inAll: 'Too many images were requested at once. Please try again in a few seconds.',
}

export interface PictureRequest {
  /** Requests of the same key want the same picture. */
  readonly key: string
  readonly owner: TurnOwner
  /** Estimated memory of the drawing. */
  readonly bytes: number
  /** Reads the frame; called when the picture's turn has come. */
  readonly load: () => Promise<PictureJob | DecodingJob>
  /** Aborted when nobody waits for this request any more. */
  readonly signal?: AbortSignal | undefined
}

interface Ticket {
  readonly request: PictureRequest
  readonly answer: PromiseWithResolvers<Buffer>
}

/**
 * Draws frames in threads of their own, in fair turns, and equal pictures that are wanted at the same time once. Images
 * are for orientation, not for diagnosis.
 */
export class PictureRenderer {
  readonly #queue = new FairQueue<Ticket>(drawingLimits.waiting)
  readonly #underWay = new Map<string, Promise<Buffer>>()
  readonly #idle: DrawingThread[]
  readonly #threads: readonly DrawingThread[]
  readonly #busyOf = new Map<string, number>()
  #bytes = 0

  /** 0 threads: as many as suit the processor. */
  constructor(threads = 0, jobTimeoutMs: number = drawingLimits.jobTimeoutMs) {
    this.#threads = Array.from(
      { length: threads || defaultThreads() },
      () => new DrawingThread(jobTimeoutMs, drawingLimits.idleTimeoutMs),
    )
    this.#idle = [...this.#threads]
  }

  /** What the job wants: a picture, or samples. Throws `NoPicture` when it cannot be made. */
  async draw(request: PictureRequest): Promise<Buffer> {
    const { key, owner, signal } = request
    const same = this.#underWay.get(key)
    if (same) return same
    if (signal?.aborted) throw nobodyWaits()
    const ticket: Ticket = { request, answer: Promise.withResolvers<Buffer>() }
    const full = this.#queue.add(owner, ticket)
    if (full) throw new TooManyPictures(sentences[full], 5, full === 'perPerson')
    const leave = (): void => {
      this.#queue.takeAll((other) => other === ticket)
      ticket.answer.reject(nobodyWaits())
    }
    signal?.addEventListener('abort', leave)
    this.#advance()
    return ticket.answer.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  async close(): Promise<void> {
    for (const { answer } of this.#queue.takeAll(() => true)) answer.reject(new NoPicture('The server is stopping.'))
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #advance(): void {
    while (this.#idle.length > 0) {
      const ticket = this.#queue.take(({ request }, organizationId) => this.#mayBegin(request, organizationId))
      const thread = ticket && this.#idle.pop()
      if (!thread) return
      this.#begin(ticket, thread)
    }
  }

  /** Of several threads one is always left to other organizations; and all drawings together have room in memory. */
  #mayBegin({ bytes }: PictureRequest, organizationId: string): boolean {
    const most = Math.max(1, this.#threads.length - 1)
    if ((this.#busyOf.get(organizationId) ?? 0) >= most) return false
    return this.#underWay.size === 0 || this.#bytes + bytes <= drawingLimits.bytes
  }

  #begin(ticket: Ticket, thread: DrawingThread): void {
    const { key, bytes, owner, load } = ticket.request
    const drawing = load().then((job) => thread.draw(job))
    const others = this.#queue.takeAll(({ request }) => request.key === key)
    this.#underWay.set(key, drawing)
    this.#bytes += bytes
    this.#count(owner.organizationId, 1)
    const began = performance.now()
    drawing
      .finally(() => {
        this.#underWay.delete(key)
        this.#bytes -= bytes
        this.#idle.push(thread)
        const tookMs = performance.now() - began
        this.#endTurn(owner.organizationId, bytes < drawingLimits.largeBytes ? 0 : tookMs)
        this.#advance()
      })
      .then(
        (picture) => [ticket, ...others].forEach(({ answer }) => answer.resolve(picture)),
        (cause: unknown) => [ticket, ...others].forEach(({ answer }) => answer.reject(cause)),
      )
  }

  #endTurn(organizationId: string, restMs: number): void {
    const end = (): void => this.#count(organizationId, -1)
    if (restMs === 0) return end()
    const endAfterwards = (): void => {
      end()
      this.#advance()
    }
    setTimeout(endAfterwards, Math.min(restMs, drawingLimits.longestRestMs)).unref()
  }

  #count(organizationId: string, drawings: number): void {
    const busy = (this.#busyOf.get(organizationId) ?? 0) + drawings
    if (busy > 0) this.#busyOf.set(organizationId, busy)
    else this.#busyOf.delete(organizationId)
  }
}

const nobodyWaits = (): NoPicture => new NoPicture('Nobody waits for this picture any more.')
