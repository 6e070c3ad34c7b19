import type { Readable } from 'node:stream'
import { Refusal } from '../../../core/errors.ts'
import { createSemaphore } from '../../../core/semaphore.ts'
import {
  commit,
  isPrepared,
  prepare,
  type IncomingObject,
  type IntakeDependencies,
  type IntakeOutcome,
  type Prepared,
} from './intake.ts'

/** Objects that are committed in one transaction; each is durable before it is answered. */
const GROUP = 32
/** Objects that are staged at the same time: their bytes sync while the next ones arrive. */
const STAGING = 8
const MAX_OBJECTS = 10_000

export interface Numbered {
  /** Which object of the flow, counted from 1. */
  readonly part: number
  readonly outcome: IntakeOutcome
}
/** Takes objects as they arrive: a few are staged at once, full groups are committed, in constant memory. */
export class IntakeFlow {
  readonly #parts: IntakeDependencies
  readonly #arrival: IncomingObject
  readonly #maxBytes: number
  readonly #outcomes: Numbered[] = []
  readonly #staging = new Set<Promise<void>>()
  readonly #inTurn = createSemaphore(STAGING)
  #ready: { part: number; prepared: Prepared }[] = []
  #committing: Promise<void> = Promise.resolve()
  #count = 0

  constructor(deps: IntakeDependencies, arrival: IncomingObject, maxBytes: number) {
    this.#parts = deps
    this.#arrival = arrival
    this.#maxBytes = maxBytes
  }

  async take(content: Readable, type: () => string = () => 'application/dicom'): Promise<void> {
    const part = ++this.#count
    if (part > MAX_OBJECTS) throw new Refusal(413, 'TOO_LARGE', `Send at most ${MAX_OBJECTS} objects in one request.`)
    const staged = this.#inTurn(() => this.#stage(part, content, type)).finally(() => this.#staging.delete(staged))
    this.#staging.add(staged)
    await staged
  }

  async #stage(part: number, content: Readable, type: () => string): Promise<void> {
    const result = await prepare(this.#parts.objects, this.#arrival, content, this.#maxBytes)
    // What is left of a refused object is read and dropped, so that the next part can follow.
    content.resume()
    if (!/^application\/dicom\b/i.test(type())) {
      if (isPrepared(result)) await this.#parts.objects.discard([result.staged])
      this.#outcomes.push({
        part,
        outcome: {
          kind: 'refused',
          reason: 'NOT_DICOM',
          sentence: 'The part is not application/dicom.',
          failureCode: 0xc000,
        },
      })
    } else if (isPrepared(result)) {
      this.#ready.push({ part, prepared: result })
      if (this.#ready.length >= GROUP) await this.#commit()
    } else {
      this.#outcomes.push({ part, outcome: result })
    }
  }

  #commit(): Promise<void> {
    const group = this.#ready
    this.#ready = []
    this.#committing = this.#committing.then(async () => {
      if (group.length === 0) return
      const outcomes = await commit(
        this.#parts,
        this.#arrival,
        group.map((one) => one.prepared),
      )
      outcomes.forEach((outcome, index) => this.#outcomes.push({ part: group[index]?.part ?? 0, outcome }))
    })
    return this.#committing
  }

  async finish(): Promise<Numbered[]> {
    await Promise.all(this.#staging)
    await this.#commit()
    return this.#outcomes.sort((a, b) => a.part - b.part)
  }

  /** The sender broke off: what was committed stays, what was only staged goes. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#staging)
    await this.#committing.catch(() => undefined)
    await this.#parts.objects.discard(this.#ready.map((one) => one.prepared.staged))
    this.#ready = []
  }
}
