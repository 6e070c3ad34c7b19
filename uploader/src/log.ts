import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'

const largestBytes = 5 * 1024 * 1024

/** Says things on the screen and keeps them in a file; the file before the last five megabytes is kept as `.1`. */
export class Log {
  readonly #file: string | undefined
  #progress = ''

  constructor(file: string | undefined) {
    this.#file = file
    if (file !== undefined) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  }

  say(sentence: string): void {
    this.#clear()
    process.stderr.write(`${sentence}\n`)
    this.keep(sentence)
    this.#draw()
  }

  /** Into the file only: one line for each file would bury everything else on the screen. */
  keep(sentence: string): void {
    if (this.#file === undefined) return
    if (existsSync(this.#file) && statSync(this.#file).size > largestBytes) renameSync(this.#file, `${this.#file}.1`)
    appendFileSync(this.#file, `${new Date().toISOString()} ${sentence.replaceAll('\n', ' ')}\n`, { mode: 0o600 })
  }

  /** A line that is drawn over itself, on a terminal only. */
  show(progress: string): void {
    if (process.stderr.isTTY !== true) return
    this.#clear()
    this.#progress = progress
    this.#draw()
  }

  #clear(): void {
    if (this.#progress !== '') process.stderr.write('\r\x1b[K')
  }

  #draw(): void {
    if (this.#progress !== '')
      process.stderr.write(this.#progress.slice(0, Math.max(20, (process.stderr.columns || 80) - 1)))
  }
}
