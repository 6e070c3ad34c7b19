import type { Settled } from './journal.ts'

const listed = 20

interface Problem {
  path: string
  reason: string
}

/** What became of the files of one run. */
export class Tally {
  readonly counts: Record<Settled, number> = { sent: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  /** Settled in an earlier run. */
  readonly before: Record<Settled, number> = { sent: 0, duplicate: 0, refused: 0, 'not-dicom': 0 }
  bytes = 0
  readonly refused: Problem[] = []
  readonly failed: Problem[] = []
  readonly unreadable: string[] = []

  get isClean(): boolean {
    return this.refused.length + this.failed.length + this.unreadable.length === 0
  }

  get progress(): string {
    const { sent, refused } = this.counts
    return `${sent} sent, ${this.#there} were there, ${refused} refused, ${this.failed.length} not sent`
  }

  /** What did not have to travel because the server has it. */
  get #there(): number {
    return this.counts.duplicate + this.before.sent + this.before.duplicate
  }

  /** The end of the run in sentences. */
  summary(isDryRun: boolean): string[] {
    const { sent } = this.counts
    const others = this.counts['not-dicom'] + this.before['not-dicom']
    const megabytes = (this.bytes / 1024 / 1024).toFixed(1)
    return [
      isDryRun ? `${sent} files would be sent (${megabytes} MB).` : `${sent} files sent (${megabytes} MB).`,
      ...(this.#there > 0 ? [`${this.#there} were there already.`] : []),
      ...(others > 0 ? [`${others} are no DICOM files and were left out.`] : []),
      ...(this.before.refused > 0
        ? [`${this.before.refused} were refused before and have not changed since; --again sends them once more.`]
        : []),
      ...problems(this.refused, 'were refused and will not be sent again as they are:'),
      ...problems(this.failed, 'could not be sent. Start the uploader again to go on with them:'),
      ...problems(
        this.unreadable.map((path) => ({ path, reason: 'cannot be read' })),
        'places cannot be read:',
      ),
    ]
  }
}

function problems(all: readonly Problem[], title: string): string[] {
  if (all.length === 0) return []
  const rest = all.length - listed
  return [
    `${all.length} ${title}`,
    ...all.slice(0, listed).map(({ path, reason }) => `  ${path}: ${reason}`),
    ...(rest > 0 ? [`  … and ${rest} more; the log has them all`] : []),
  ]
}
