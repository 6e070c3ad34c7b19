import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Found } from './dicomFile.ts'
import { Stop } from './stop.ts'

/**
 * What became of a file, as far as it is settled. A file that could not be sent is not in the journal: it is tried
 * again.
 */
export type Settled = 'sent' | 'duplicate' | 'refused' | 'not-dicom'

interface Line {
  path: string
  size: number
  modifiedMs: number
  outcome: Settled | 'begun'
  /** Where the server keeps what has arrived of a file that is begun. */
  place?: string
  at: string
}

/**
 * Remembers on disk which files are settled with one server, so that a broken run goes on where it was. One line of
 * JSON for each; a file counts as the same while its path, size and time of change are.
 */
export class Journal {
  private readonly known = new Map<string, Line>()
  private readonly file: number
  private isDirty = false

  constructor(place: string) {
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    const whole = existsSync(place) ? this.load(place) : 0
    try {
      this.file = openSync(place, existsSync(place) ? 'r+' : 'w+', 0o600)
    } catch {
      throw new Stop(`The journal ${place} cannot be written. Name another folder with --state.`)
    }
    // A line that a crash cut off is dropped: its file is sent again, and the server knows it.
    ftruncateSync(this.file, whole)
    this.end = whole
  }

  private end: number

  find(file: Found): Settled | undefined {
    const outcome = this.lineOf(file)?.outcome
    return outcome === 'begun' ? undefined : outcome
  }

  /** Where an upload of the file was begun that was never settled. */
  placeOf(file: Found): string | undefined {
    return this.lineOf(file)?.place
  }

  note(file: Found, outcome: Settled): void {
    this.write(file, { outcome })
  }

  begin(file: Found, place: string): void {
    this.write(file, { outcome: 'begun', place })
  }

  private lineOf({ path: where, size, modifiedMs }: Found): Line | undefined {
    const line = this.known.get(where)
    return line?.size === size && line.modifiedMs === modifiedMs ? line : undefined
  }

  private write({ path: where, size, modifiedMs }: Found, more: Pick<Line, 'outcome' | 'place'>): void {
    const line: Line = { path: where, size, modifiedMs, ...more, at: new Date().toISOString() }
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.end += writeSync(this.file, bytes, 0, bytes.length, this.end)
    this.isDirty = true
    this.known.set(where, line)
  }

  /** Makes sure that what was noted survives a power cut. */
  flush(): void {
    if (this.isDirty) fsyncSync(this.file)
    this.isDirty = false
  }

  close(): void {
    this.flush()
    closeSync(this.file)
  }

  /** Answers how many bytes are whole lines. */
  private load(place: string): number {
    const text = readFileSync(place, 'utf8')
    const whole = text.lastIndexOf('\n') + 1
    for (const written of text.slice(0, whole).split('\n')) {
      if (written === '') continue
      try {
        const line = JSON.parse(written) as Line
        this.known.set(line.path, line)
      } catch {
        continue // A damaged line costs one file being sent again.
      }
    }
    return Buffer.byteLength(text.slice(0, whole))
  }
}
