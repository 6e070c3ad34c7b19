import type { FileSeries } from '@dmp/dicom'
import type { Why } from './answer.ts'
import { ownCodes } from './ownCodes.ts'

/** Why a file is not there yet, for whoever looks. */
export interface Failure extends Why {
  readonly path: string
  /** Refused for good, or tried again. */
  readonly isFinal: boolean
  readonly at: string
}

/** Files that failed for one cause, and if they were refused, of one study: `path` and `at` are of the newest. */
export interface FailureGroup extends Failure {
  readonly count: number
  readonly patient?: string
  readonly study?: string
  readonly studyUID?: string
}

type FindSeries = (path: string) => Pick<FileSeries, 'patient' | 'study' | 'studyUID'> | undefined

/** What failed, by file. */
export class Failures {
  readonly #all = new Map<string, Failure>()

  add(failure: Failure): void {
    this.#all.delete(failure.path)
    this.#all.set(failure.path, failure)
  }

  remove(path: string): void {
    this.#all.delete(path)
  }

  forget(isOver: (failure: Failure) => boolean): void {
    for (const failure of this.#all.values()) if (isOver(failure)) this.#all.delete(failure.path)
  }

  clear(): void {
    this.#all.clear()
  }

  /** How many are tried again. */
  get later(): number {
    let count = 0
    for (const { isFinal } of this.#all.values()) if (!isFinal) count += 1
    return count
  }

  /** The newest first. A line that is lost is one entry, however many files wait for it. */
  group(findSeries: FindSeries): FailureGroup[] {
    const groups = new Map<string, FailureGroup>()
    for (const failure of [...this.#all.values()].reverse()) {
      const series = failure.isFinal ? findSeries(failure.path) : undefined
      const key = toKey(failure, series)
      const group = groups.get(key)
      groups.set(key, group ? { ...group, count: group.count + 1 } : { ...failure, ...toStudy(series), count: 1 })
    }
    return [...groups.values()]
  }
}

const toStudy = (series: ReturnType<FindSeries>): Partial<FailureGroup> =>
  series === undefined ? {} : { patient: series.patient, study: series.study, studyUID: series.studyUID }

/** The sentence of a lost line says how it was lost: that differs from file to file. */
function toKey({ isFinal, reason, code }: Failure, series: ReturnType<FindSeries>): string {
  const cause = !isFinal && code === ownCodes.lost ? code : reason
  return JSON.stringify([isFinal, cause, series?.patient, series?.studyUID])
}
