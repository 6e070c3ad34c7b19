import { open } from 'node:fs/promises'
import path from 'node:path'
import { readFileSeries, type FileSeries, type ParseHeader } from '@dmp/dicom'
import * as dicomParser from 'dicom-parser'
import type { Found } from './dicomFile.ts'
import type { Settled } from './journal.ts'

/** A series and what became of its files since the uploader started. */
export interface SeriesRow extends Omit<FileSeries, 'uid' | 'studyUID'> {
  readonly waiting: number
  readonly stored: number
  readonly duplicate: number
  readonly refused: number
  /** Of those that wait: sent once, and not taken yet. */
  readonly failed: number
}

interface Kept extends FileSeries {
  waiting: number
  readonly failed: Set<string>
  readonly counts: Record<Settled, number>
}

/** Patient, study and series stand in the first kilobytes; what has more before them is told by its folder. */
const headBytes = 16_384
const mostRows = 200

// dicom-parser is CommonJS; under Jest its named exports come through `default`.
const library = ('default' in dicomParser ? dicomParser.default : dicomParser) as typeof dicomParser
const parse: ParseHeader = (bytes, options) => library.parseDicom(bytes, options)

/** What waits and what was sent, by series, for whoever sits in front of the window. Nothing of it is logged. */
export class SeriesRows {
  readonly #rows = new Map<string, Kept>()
  /** The row of each file that is not settled, by path. */
  readonly #rowOf = new Map<string, Kept>()
  /** The row of each file that was refused, by path: what is taken later is refused no more. */
  readonly #refusedIn = new Map<string, Kept>()
  /** Whose the files are that were refused and lie there, by path. */
  readonly #refused = new Map<string, FileSeries>()
  /** What is known of files of this look and the one before: they are read once. */
  #known = new Map<string, FileSeries | undefined>()
  #before = new Map<string, FileSeries | undefined>()

  /** A new look: what waits is found again. */
  begin(): void {
    this.#rowOf.clear()
    this.#before = this.#known
    this.#known = new Map()
    for (const row of this.#rows.values()) {
      row.waiting = 0
      row.failed.clear()
    }
  }

  /** Of what was refused before this start: nothing of it waits. */
  async know(file: Found): Promise<void> {
    const series = await this.#read(file)
    if (series !== undefined) this.#refused.set(file.path, series)
  }

  forget(place: string): void {
    this.#refused.delete(place)
  }

  /** Whose a file is that was refused and lies there. */
  find(place: string): FileSeries | undefined {
    return this.#refused.get(place)
  }

  async #read(file: Found): Promise<FileSeries | undefined> {
    const key = `${file.path} ${file.size} ${file.modifiedMs}`
    const series = this.#before.has(key) ? this.#before.get(key) : await readSeries(file.path)
    this.#known.set(key, series)
    return series
  }

  async found(file: Found): Promise<void> {
    const series = await this.#read(file)
    if (series === undefined) return
    const row = this.#rows.get(series.uid) ?? this.#add(series)
    row.waiting += 1
    this.#rowOf.set(file.path, row)
  }

  /** `place` is where the file is now. */
  settled(file: Found, outcome: Settled, place = file.path): void {
    const earlier = this.#refusedIn.get(file.path)
    if (earlier) earlier.counts.refused -= 1
    this.#refusedIn.delete(file.path)
    this.#refused.delete(file.path)
    const row = this.#rowOf.get(file.path)
    if (!row) return
    this.#rowOf.delete(file.path)
    row.waiting -= 1
    row.failed.delete(file.path)
    row.counts[outcome] += 1
    if (outcome !== 'refused') return
    this.#refusedIn.set(file.path, row)
    this.#refused.set(place, row)
  }

  putOff(file: Found): void {
    this.#rowOf.get(file.path)?.failed.add(file.path)
  }

  /** The newest first. */
  get rows(): readonly SeriesRow[] {
    return [...this.#rows.values()].reverse().map(({ name, patient, study, waiting, failed, counts }) => {
      const { stored, duplicate, refused } = counts
      return { name, patient, study, waiting, stored, duplicate, refused, failed: failed.size }
    })
  }

  #add(series: FileSeries): Kept {
    // Those that are through make room first.
    if (this.#rows.size >= mostRows) {
      const [oldest] = [...this.#rows].find(([, { waiting }]) => waiting === 0) ?? [...this.#rows.keys()]
      if (oldest !== undefined) this.#rows.delete(oldest)
    }
    const counts = { stored: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
    const row = { ...series, waiting: 0, failed: new Set<string>(), counts }
    this.#rows.set(series.uid, row)
    return row
  }
}

/** Undefined where the file is no DICOM file, or cannot be read. */
async function readSeries(file: string): Promise<FileSeries | undefined> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const head = Buffer.alloc(headBytes)
    const { bytesRead } = await handle.read(head, 0, headBytes, 0)
    const bytes = head.subarray(0, bytesRead)
    const series = readFileSeries(bytes, parse)
    const folder = path.dirname(file)
    const isDicom = bytes.toString('latin1', 128, 132) === 'DICM'
    return (
      series ??
      (isDicom ? { uid: folder, studyUID: '', name: path.basename(folder), patient: '', study: '' } : undefined)
    )
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}
