import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Why } from './answer.ts'
import type { Found } from './dicomFile.ts'
import { Stop } from './stop.ts'

/** The outcome of a file that is settled. A file that could not be sent is not in the journal: it is tried again. */
export type Settled = 'stored' | 'duplicate' | 'refused' | 'not-dicom'

interface Line {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly outcome: Settled | 'begun'
  /** Why it was refused; uploaders of before wrote neither, then the reason alone. */
  readonly reason?: string
  readonly code?: string
  /** Where the bytes of a file that is begun arrive (tus). */
  readonly uploadUrl?: string
  readonly at: string
}

const toWhy = ({ reason, code }: Why): Why => ({ reason, ...(code !== undefined && { code }) })

/** A line of a journal, also one that uploader 1.0 has written. */
type EarlierLine = Omit<Line, 'outcome'> & { readonly outcome: Line['outcome'] | 'sent'; readonly place?: string }

const toLine = ({ outcome, place, ...line }: EarlierLine): Line => ({
  ...(place !== undefined && { uploadUrl: place }),
  ...line,
  outcome: outcome === 'sent' ? 'stored' : outcome,
})

/**
 * Remembers on disk which files are settled with one server, so that a broken run continues where it was. One line of
 * JSON for each; a file counts as the same while its path, size and time of change are.
 */
export class Journal {
  readonly #lines = new Map<string, Line>()
  readonly #file: number
  #isDirty = false

  constructor(place: string) {
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    const whole = existsSync(place) ? this.#load(place) : 0
    try {
      this.#file = openSync(place, existsSync(place) ? 'r+' : 'w+', 0o600)
    } catch {
      throw new Stop(`The journal ${place} cannot be written. Name another folder with --state.`)
    }
    // A line that a crash cut off is dropped: its file is sent again, and the server knows it.
    ftruncateSync(this.#file, whole)
    this.#end = whole
  }

  #end: number

  find(file: Found): Settled | undefined {
    const outcome = this.#findLine(file)?.outcome
    return outcome === 'begun' ? undefined : outcome
  }

  /** The upload URL of a file that was begun and never settled. */
  findUploadUrl(file: Found): string | undefined {
    return this.#findLine(file)?.uploadUrl
  }

  note(file: Found, outcome: Settled, why?: Why): void {
    this.#write(file, { outcome, ...(why && toWhy(why)) })
  }

  /** When and why a file was refused that has not changed since; undefined for any other. */
  findRefusal(file: Found): (Partial<Why> & { readonly at: string }) | undefined {
    const { outcome, at = '', reason, code } = this.#findLine(file) ?? {}
    if (outcome !== 'refused') return undefined
    return { at, ...(reason !== undefined && { reason }), ...(code !== undefined && { code }) }
  }

  begin(file: Found, uploadUrl: string): void {
    this.#write(file, { outcome: 'begun', uploadUrl })
  }

  #findLine({ path: where, size, modifiedMs }: Found): Line | undefined {
    const line = this.#lines.get(where)
    return line?.size === size && line.modifiedMs === modifiedMs ? line : undefined
  }

  #write(
    { path: where, size, modifiedMs }: Found,
    more: Pick<Line, 'outcome' | 'uploadUrl' | 'reason' | 'code'>,
  ): void {
    const line: Line = { path: where, size, modifiedMs, ...more, at: new Date().toISOString() }
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#end += writeSync(this.#file, bytes, 0, bytes.length, this.#end)
    this.#isDirty = true
    this.#lines.set(where, line)
  }

  /** Makes sure that the notes survive a power cut. */
  flush(): void {
    if (this.#isDirty) fsyncSync(this.#file)
    this.#isDirty = false
  }

  close(): void {
    this.flush()
    closeSync(this.#file)
  }

  /** Returns how many bytes are whole lines. */
  #load(place: string): number {
    const text = readFileSync(place, 'utf8')
    const whole = text.lastIndexOf('\n') + 1
    for (const entry of text.slice(0, whole).split('\n')) {
      if (entry === '') continue
      try {
        const line = toLine(JSON.parse(entry) as EarlierLine)
        this.#lines.set(line.path, line)
      } catch {
        continue // A damaged line costs one file being sent again.
      }
    }
    return Buffer.byteLength(text.slice(0, whole))
  }
}
