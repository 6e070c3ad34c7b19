/** Lets a limited number of tasks run at the same time; the others wait in the order in which they came. */
export class Semaphore {
  #permits: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#permits = permits
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#permits > 0) this.#permits -= 1
    else await new Promise<void>((start) => this.#waiting.push(start))
    try {
      return await task()
    } finally {
      const start = this.#waiting.shift()
      if (start) start()
      else this.#permits += 1
    }
  }
}
