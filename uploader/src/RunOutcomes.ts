import type { Settled } from './journal.ts'
import { unknownReason } from './Refusals.ts'

const listedCauses = 20
/** Of one cause. */
const listedFiles = 3

interface Problem {
  readonly path: string
  readonly reason: string
}

/** The outcomes of the files of one run. */
export class RunOutcomes {
  readonly counts: Record<Settled, number> = { stored: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  /** Settled in an earlier run. */
  readonly before: Record<Settled, number> = { stored: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  bytes = 0
  readonly refused: Problem[] = []
  readonly refusedBefore: Problem[] = []
  readonly failed: Problem[] = []
  readonly unreadable: string[] = []

  /** A file that an earlier run settled. */
  settledBefore(path: string, outcome: Settled, reason = unknownReason): void {
    this.before[outcome] += 1
    if (outcome === 'refused') this.refusedBefore.push({ path, reason })
  }

  get isClean(): boolean {
    return this.refused.length + this.refusedBefore.length + this.failed.length + this.unreadable.length === 0
  }

  get progress(): string {
    const { stored, refused } = this.counts
    return `${stored} sent, ${this.#alreadyStored} already stored, ${refused} refused, ${this.failed.length} not sent`
  }

  /** Files that need not be sent because the server has them. */
  get #alreadyStored(): number {
    return this.counts.duplicate + this.before.stored + this.before.duplicate
  }

  /** The end of the run in sentences. */
  summary(isDryRun: boolean): string[] {
    const { stored } = this.counts
    const others = this.counts['not-dicom'] + this.before['not-dicom']
    const megabytes = (this.bytes / 1024 / 1024).toFixed(1)
    return [
      `${stored} ${stored === 1 ? 'file' : 'files'} ${isDryRun ? 'would be sent' : 'sent'} (${megabytes} MB).`,
      ...(this.#alreadyStored > 0 ? [`${count(this.#alreadyStored, 'was', 'were')} already stored.`] : []),
      ...(others > 0
        ? [`${others === 1 ? '1 is no DICOM file and was' : `${others} are not DICOM files and were`} skipped.`]
        : []),
      ...problems(
        this.refusedBefore,
        this.refusedBefore.length === 1
          ? 'was refused before and has not changed. Use --again to send it again:'
          : 'were refused before and have not changed. Use --again to send them again:',
      ),
      ...problems(
        this.refused,
        this.refused.length === 1
          ? 'was refused and will not be sent again as it is:'
          : 'were refused and will not be sent again as they are:',
      ),
      ...problems(
        this.failed,
        `could not be sent. Start the uploader again to send ${this.failed.length === 1 ? 'it' : 'them'}:`,
      ),
      ...problems(
        this.unreadable.map((path) => ({ path, reason: 'cannot be read' })),
        this.unreadable.length === 1 ? 'path cannot be read:' : 'paths cannot be read:',
      ),
    ]
  }
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

/** A cause is said once, however many files it kept back: whoever reads it looks for what to do, not for each file. */
function problems(all: readonly Problem[], title: string): string[] {
  if (all.length === 0) return []
  const causes = [...Map.groupBy(all, ({ reason }) => reason)]
  const rest = causes.slice(listedCauses).reduce((sum, [, files]) => sum + files.length, 0)
  return [
    `${all.length} ${title}`,
    ...causes.slice(0, listedCauses).flatMap(([reason, files]) => sayCause(reason, files)),
    ...(rest > 0 ? [`  … and ${rest} more; see the log for all of them`] : []),
  ]
}

function sayCause(reason: string, files: readonly Problem[]): string[] {
  if (files.length <= listedFiles) return files.map(({ path }) => `  ${path}: ${reason}`)
  return [
    `  ${files.length} files: ${reason}`,
    ...files.slice(0, listedFiles).map(({ path }) => `    ${path}`),
    `    … and ${files.length - listedFiles} more; see the log for all of them`,
  ]
}
