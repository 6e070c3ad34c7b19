import { setImmediate as gather } from 'node:timers/promises'
import type webpack from 'webpack'

/**
 * Lets the parts that an edit concerns be compiled one after the other, first the one whose files pages asked for last:
 * beside each other, every one of them would be there as late as the last.
 */
export class RebuildTurns {
  readonly #askedAt = new Map<string, number>()
  readonly #waiting = new Map<string, () => void>()
  #running: string | undefined
  #count = 0

  /** A page asked for a file of the part; for updates, pages ask in the order in which parts were compiled. */
  noteAsked(part: string, file: string): void {
    if (!file.includes('.hot-update.')) this.#askedAt.set(part, (this.#count += 1))
  }

  /** Has the compilers of parts wait for their turns; not for their first compilation, of which all are needed. */
  manage(compilers: readonly webpack.Compiler[]): void {
    for (const compiler of compilers) {
      const part = compiler.name ?? ''
      let isFirst = true
      compiler.hooks.watchRun.tapPromise('Turns', async () => {
        if (isFirst) return
        await this.#take(part)
      })
      const release = (): void => {
        isFirst = false
        this.#release(part)
      }
      compiler.hooks.done.tap({ name: 'Turns', stage: 1000 }, release)
      compiler.hooks.failed.tap('Turns', release)
    }
  }

  async #take(part: string): Promise<void> {
    // Edited again while it was compiled: it goes on at once.
    if (this.#running === part) return
    const turn = new Promise<void>((resolve) => this.#waiting.set(part, resolve))
    // Their watchers tell them of one edit one after the other.
    await gather()
    this.#next()
    await turn
  }

  #release(part: string): void {
    if (this.#running !== part) return
    this.#running = undefined
    this.#next()
  }

  #next(): void {
    if (this.#running !== undefined) return
    const [first] = [...this.#waiting.keys()].sort((a, b) => (this.#askedAt.get(b) ?? 0) - (this.#askedAt.get(a) ?? 0))
    if (first === undefined) return
    const begin = this.#waiting.get(first)
    this.#running = first
    this.#waiting.delete(first)
    begin?.()
  }
}
