import { JoinedWork } from '../../core/joinedWork.ts'
import { createHead, createIndexBody, headBytes, type Place, type RecordKind } from './segmentFormat.ts'
import type { SegmentFile } from './segmentFile.ts'

interface Append {
  readonly head: Buffer
  readonly body: Uint8Array
  readonly offset: number
}

const mostBytesTogether = 8 * 2 ** 20

/**
 * The segment that a server appends to. What waits together is written with one call, and who wants to know that it is
 * safe shares one sync. After a write or a sync that failed nothing of it is believed any more, and nothing is added:
 * what was synced before stays what it is.
 */
export class SegmentWriter {
  readonly segment: string
  readonly createdMs = performance.now()
  readonly #file: SegmentFile
  readonly #writes: JoinedWork<Append, void>
  readonly #syncs: JoinedWork<void, void>
  /** Objects of which it is open whether they stay, by their offsets, in the order of these. */
  readonly #pending = new Set<number>()
  readonly #onSettled: () => Promise<void>
  #end = 0
  #lastMs = performance.now()
  #lastDate = Date.now()
  #underWay = 0
  #failure: { readonly cause: unknown } | undefined
  #isSealed = false
  #closing: Promise<void> | undefined

  /** `onSettled`: it is sealed and no object is pending. */
  constructor(segment: string, file: SegmentFile, onSettled: () => Promise<void>) {
    this.segment = segment
    this.#file = file
    this.#onSettled = onSettled
    this.#writes = new JoinedWork(
      mostBytesTogether,
      ({ body }) => headBytes + body.length,
      (appends) => this.#write(appends),
    )
    this.#syncs = new JoinedWork(
      Infinity,
      () => 1,
      async (waiting) => {
        await this.#guard(() => this.#file.sync())
        return waiting.map(() => ({ status: 'fulfilled', value: undefined }))
      },
    )
  }

  get size(): number {
    return this.#end
  }

  get isSealed(): boolean {
    return this.#isSealed
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** By the clock of the day as well: that of the process stands still while the machine sleeps. */
  get idleMs(): number {
    return Math.max(performance.now() - this.#lastMs, Date.now() - this.#lastDate)
  }

  /** It is written when this resolves, and pending from the call on. */
  async addObject(body: Uint8Array): Promise<Place> {
    const place = { segment: this.segment, offset: this.#end, length: body.length }
    this.#pending.add(place.offset)
    try {
      await this.#append('object', body)
    } catch (cause) {
      this.settle([place])
      throw cause
    }
    return place
  }

  /** Names objects of this segment; they and their names are on the disk when this resolves. */
  async addIndex(keys: readonly string[]): Promise<void> {
    const settledTo = this.#pending.values().next().value ?? this.#end
    await this.#append('index', createIndexBody({ settledTo, keys }))
    this.#underWay += 1
    try {
      await this.#syncs.add('', undefined)
    } finally {
      this.#leave()
    }
  }

  /** They are kept, or are gone. */
  settle(places: readonly Pick<Place, 'offset'>[]): void {
    for (const { offset } of places) this.#pending.delete(offset)
    this.#closeWhenSettled()
  }

  /** Nothing is added from here on, but the names of what is pending. */
  async seal(): Promise<void> {
    this.#isSealed = true
    this.#closeWhenSettled()
    await this.#closing
  }

  async #append(kind: RecordKind, body: Uint8Array): Promise<void> {
    // The number of its file may be another's by now.
    if (this.#closing) throw new TypeError('Nothing is added to a segment that is closed.')
    const offset = this.#end
    this.#end += headBytes + body.length
    this.#lastMs = performance.now()
    this.#lastDate = Date.now()
    this.#underWay += 1
    try {
      const head = createHead(kind, { segment: this.segment, offset, length: body.length })
      await this.#writes.add('', { head, body, offset })
    } finally {
      this.#leave()
    }
  }

  async #write(appends: readonly Append[]): Promise<PromiseSettledResult<void>[]> {
    const pieces = appends.flatMap(({ head, body }) => [head, body])
    await this.#guard(() => this.#file.write(pieces, appends[0]?.offset ?? 0))
    return appends.map(() => ({ status: 'fulfilled', value: undefined }))
  }

  async #guard(act: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure.cause
    try {
      await act()
    } catch (cause) {
      this.#failure = { cause }
      throw cause
    }
    // A sync that came to its end beside a write that failed does not speak for that one.
    if (this.#failure) throw (this.#failure as { cause: unknown }).cause
  }

  #leave(): void {
    this.#underWay -= 1
    this.#closeWhenSettled()
  }

  #closeWhenSettled(): void {
    if (!this.#isSealed || this.#closing || this.#pending.size > 0 || this.#underWay > 0) return
    // Where that cannot be noted, `recover` asks.
    this.#closing = this.#file
      .close()
      .then(this.#onSettled)
      .catch(() => undefined)
  }
}
