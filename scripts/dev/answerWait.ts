import { setTimeout as pause } from 'node:timers/promises'
import type { ServerNews } from './keepServer.ts'
import type { ProductProblems } from './productProblems.ts'

/** How long a request waits for a server of which nothing is known: a start takes less, and people wait no longer. */
const answerMs = 10_000
/** More than pages ask for, and an end for a program that asks on and on. */
const mostWaiting = 1000

interface WaitLimits {
  readonly milliseconds?: number
  readonly most?: number
}

/** Requests to `npm run dev` wait until its server can answer, or hear why it cannot. */
export class AnswerWait {
  /** Without a host there is no page. */
  isBuilt = false
  #isListening = false
  #waiting = 0
  readonly #problems: ProductProblems
  readonly #milliseconds: number
  readonly #most: number

  constructor(problems: ProductProblems, { milliseconds = answerMs, most = mostWaiting }: WaitLimits = {}) {
    this.#problems = problems
    this.#milliseconds = milliseconds
    this.#most = most
  }

  hear(news: ServerNews): void {
    this.#isListening = news === 'listening'
    if (typeof news === 'object') this.#problems.note('server', [news.text])
    else if (news === 'starting') this.#problems.note('server', [])
  }

  /** Resolves as soon as the server can answer, or with why it cannot, or why nobody may wait any longer. */
  async findProblem(): Promise<string | undefined> {
    if (this.#waiting >= this.#most) return `${this.#most} requests wait for the server already.`
    this.#waiting += 1
    try {
      return await this.#wait()
    } finally {
      this.#waiting -= 1
    }
  }

  async #wait(): Promise<string | undefined> {
    for (const began = performance.now(); ; await pause(10)) {
      const problem = this.#problems.ofAnswers()
      if (problem !== undefined) return problem
      if (!this.isBuilt) continue
      if (this.#isListening) return undefined
      if (performance.now() - began > this.#milliseconds)
        return `The server has not answered for ${this.#milliseconds / 1000} seconds. The terminal says what it is doing.`
    }
  }
}
