import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Received } from './Spool.ts'

const keptDays = 7
const mostObjects = 500_000
const dayMs = 86_400_000
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Which objects the server said that it has, for devices that ask (storage commitment). Kept for a week: of what is
 * not known any more the device is told so, and sends it once more.
 */
export class Ledger {
  readonly #folder: string
  readonly #classes = new Map<string, string>()
  readonly #now: () => number
  #day = ''

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder
    this.#now = now
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#forgetOld()
    for (const name of this.#files())
      for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
        const [uid, sopClassUID, end] = line.split(' ')
        // A line that a crash cut off has no end.
        if (uid && sopClassUID && end === '.') this.#remember(uid, sopClassUID)
      }
  }

  note({ sopInstanceUID, sopClassUID }: Received): void {
    this.#forgetOld()
    appendFileSync(path.join(this.#folder, `stored-${this.#day}.txt`), `${sopInstanceUID} ${sopClassUID} .\n`, {
      mode: 0o600,
    })
    this.#remember(sopInstanceUID, sopClassUID)
  }

  /** The SOP class of an object that the server has. */
  find(sopInstanceUID: string): string | undefined {
    return this.#classes.get(sopInstanceUID)
  }

  #remember(uid: string, sopClassUID: string): void {
    this.#classes.delete(uid)
    this.#classes.set(uid, sopClassUID)
    const [oldest] = this.#classes.keys()
    if (this.#classes.size > mostObjects && oldest !== undefined) this.#classes.delete(oldest)
  }

  #files(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => /^stored-\d{4}-\d\d-\d\d\.txt$/.test(name))
      .sort()
  }

  #forgetOld(): void {
    const today = toDay(this.#now())
    if (today === this.#day) return
    this.#day = today
    const first = `stored-${toDay(this.#now() - keptDays * dayMs)}.txt`
    for (const name of this.#files()) if (name < first) rmSync(path.join(this.#folder, name), { force: true })
  }
}
