import { tooManyOfAll, tooManyRequests } from './errors.ts'

const retryAfterSeconds = 5

interface Open {
  readonly keys: string[]
  isOver: boolean
}

/**
 * Responses that are not finished, counted by address and by person: a caller who reads slowly, or not at all, holds a
 * bounded number of them.
 */
export class OpenResponses {
  readonly #counts = new Map<string, number>()
  readonly #open = new WeakMap<object, Open>()
  readonly #perAddress: number
  readonly #perPerson: number

  constructor(perAddress: number, perPerson: number) {
    this.#perAddress = perAddress
    this.#perPerson = perPerson
  }

  /**
   * Throws 429 when whoever it is counted as has as many open as an address may; the function that is returned ends the
   * response.
   */
  begin(request: object, countedAs: string): () => void {
    const open: Open = { keys: [], isOver: false }
    this.#take(open, `line of ${countedAs}`, this.#perAddress, tooManyOfAll)
    this.#open.set(request, open)
    return () => {
      open.isOver = true
      for (const key of open.keys.splice(0)) this.#give(key)
    }
  }

  /** Once it is known who asked. Nothing happens when the line was closed meanwhile: nobody would give it back. */
  assign(request: object, userId: string): void {
    const open = this.#open.get(request)
    if (open && !open.isOver) this.#take(open, `person ${userId}`, this.#perPerson, tooManyRequests)
  }

  #take(open: Open, key: string, most: number, refuse: typeof tooManyOfAll): void {
    const count = this.#counts.get(key) ?? 0
    if (count >= most) throw refuse(retryAfterSeconds, 'Too many requests are still being answered.')
    this.#counts.set(key, count + 1)
    open.keys.push(key)
  }

  #give(key: string): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}
