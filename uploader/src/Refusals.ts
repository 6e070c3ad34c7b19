import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Why } from './answer.ts'
import type { Failure } from './Failures.ts'

export const unknownReason = 'It was refused. The log says why.'

/** Objects that the server refused and that lie nowhere else: kept here until somebody takes them away. */
export class Refusals {
  readonly folder: string
  readonly #reasonsFile: string

  constructor(stateFolder: string) {
    this.folder = path.join(stateFolder, 'refused')
    this.#reasonsFile = path.join(this.folder, '.reasons.jsonl')
  }

  /** Moves a file here, under this name. Returns where it is now. */
  keep(file: string, name: string, why: Why | undefined): string {
    const place = path.join(this.folder, name)
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    // Its reason first: after a crash between both, the file is sent and refused once more.
    if (why !== undefined)
      appendFileSync(this.#reasonsFile, `${JSON.stringify({ path: place, reason: why.reason, code: why.code })}\n`, {
        mode: 0o600,
      })
    renameSync(file, place)
    return place
  }

  /** What lies here, the oldest first. */
  list(): Failure[] {
    if (!existsSync(this.folder)) return []
    const reasons = this.#readReasons()
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((place) => ({ path: place, at: statSync(place).mtime.toISOString() }))
      .sort((a, b) => a.at.localeCompare(b.at))
      .map((each) => ({ ...each, ...(reasons.get(each.path) ?? { reason: unknownReason }), isFinal: true }))
  }

  #readReasons(): Map<string, Why> {
    const reasons = new Map<string, Why>()
    if (!existsSync(this.#reasonsFile)) return reasons
    for (const line of readFileSync(this.#reasonsFile, 'utf8').split('\n'))
      try {
        const { path: place, ...why } = JSON.parse(line) as Why & { path: string }
        reasons.set(place, why)
      } catch {
        continue // A line that a crash cut off costs one reason, which the log has.
      }
    return reasons
  }
}
