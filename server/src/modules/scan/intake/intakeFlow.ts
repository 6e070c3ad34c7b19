import { failureReason, type NumberedOutcome } from '@dmp/dicom'
import type { Readable } from 'node:stream'
import { Refusal } from '../../../core/errors.ts'
import type { DicomRefusal } from '../../../dicom/refusal.ts'
import { createSemaphore } from '../../../core/semaphore.ts'
import {
  isPrepared,
  prepare,
  toRefused,
  type IncomingObject,
  type IntakeDependencies,
  type PreparedObject,
} from './intake.ts'
import { commit } from './commit.ts'

/** Objects per transaction; each is durable before the request is answered. */
const groupSize = 32
/** Objects that are staged at the same time: their bytes sync while the next ones arrive. */
const maxStaging = 8
const maxObjects = 10_000

/** Takes in objects as they arrive: a few are staged at once, full groups are committed, in constant memory. */
export class IntakeFlow {
  readonly #deps: IntakeDependencies
  readonly #incoming: IncomingObject
  readonly #maxBytes: number
  readonly #outcomes: NumberedOutcome[] = []
  readonly #staging = new Set<Promise<void>>()
  readonly #inTurn = createSemaphore(maxStaging)
  #ready: { part: number; prepared: PreparedObject }[] = []
  #committing: Promise<void> = Promise.resolve()
  #count = 0

  constructor(deps: IntakeDependencies, incoming: IncomingObject, maxBytes: number) {
    this.#deps = deps
    this.#incoming = incoming
    this.#maxBytes = maxBytes
  }

  async take(content: Readable, type: () => string = () => 'application/dicom'): Promise<void> {
    const part = ++this.#count
    if (part > maxObjects) throw new Refusal(413, 'TOO_LARGE', `Send at most ${maxObjects} objects in one request.`)
    const staged = this.#inTurn(() => this.#stage(part, content, type)).finally(() => this.#staging.delete(staged))
    this.#staging.add(staged)
    await staged
  }

  /** An object that could not even be put together. */
  refuse(cause: DicomRefusal): void {
    this.#outcomes.push({ part: ++this.#count, outcome: toRefused(cause) })
  }

  async #stage(part: number, content: Readable, type: () => string): Promise<void> {
    const result = await prepare(this.#deps, this.#incoming, content, this.#maxBytes)
    // The rest of a refused object is read and dropped, so that the next part can follow.
    content.resume()
    if (!/^application\/dicom\b/i.test(type())) {
      if (isPrepared(result)) await this.#deps.objects.discard([result.staged])
      this.#outcomes.push({
        part,
        outcome: {
          kind: 'refused',
          reason: 'NOT_DICOM',
          sentence: 'The part is not application/dicom.',
          failureCode: failureReason.cannotUnderstand,
        },
      })
    } else if (isPrepared(result)) {
      this.#ready.push({ part, prepared: result })
      if (this.#ready.length >= groupSize) await this.#commit()
    } else {
      this.#outcomes.push({ part, outcome: result })
    }
  }

  #commit(): Promise<void> {
    const group = this.#ready
    this.#ready = []
    const prepared = group.map((readyObject) => readyObject.prepared)
    this.#committing = this.#committing.then(
      async () => {
        if (group.length === 0) return
        const outcomes = await commit(this.#deps, this.#incoming, prepared)
        outcomes.forEach((outcome, index) => this.#outcomes.push({ part: group[index]?.part ?? 0, outcome }))
      },
      // The group before was not stored, and the request fails: nobody would come for this one.
      async (cause: unknown) => {
        await this.#deps.objects.discard(prepared.map(({ staged }) => staged))
        throw cause
      },
    )
    return this.#committing
  }

  async finish(): Promise<NumberedOutcome[]> {
    await Promise.all(this.#staging)
    await this.#commit()
    return this.#outcomes.sort((a, b) => a.part - b.part)
  }

  /** The request failed, or its sender has gone: committed objects stay, staged ones are discarded. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#staging)
    await this.#committing.catch(() => undefined)
    await this.#deps.objects.discard(this.#ready.map((readyObject) => readyObject.prepared.staged))
    this.#ready = []
  }
}
