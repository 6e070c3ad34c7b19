import { FairTurns, type Turn } from './fairTurns.ts'

/** Whoever has many lines open waits for the other pieces of its own, so that each turn of the thread has few. */
const limits = { atOnce: 4, perCustomer: 2, perPerson: 1, waitingPerPerson: Infinity } as const

/**
 * Bytes of uploads are parsed, hashed and written a piece at a time: one of a person between two events of others, over
 * however many lines they arrive (P18). What waits for its turn is not read, so that it waits at its sender.
 */
export class Arrivals {
  readonly #turns = new FairTurns(limits)

  async *inTurns(turn: Turn, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      const end = await this.#turns.begin(turn)
      // By then the reader has done with the piece what it does at once, and what else had happened was answered.
      setImmediate(end)
      yield piece
    }
  }
}
