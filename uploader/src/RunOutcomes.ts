import type { Settled } from './journal.ts'

const listed = 20

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
  readonly failed: Problem[] = []
  readonly unreadable: string[] = []

  get isClean(): boolean {
    return this.refused.length + this.failed.length + this.unreadable.length === 0
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
      isDryRun ? `${stored} files would be sent (${megabytes} MB).` : `${stored} files sent (${megabytes} MB).`,
      ...(this.#alreadyStored > 0 ? [`${this.#alreadyStored} were already stored.`] : []),
      ...(others > 0 ? [`${others} are not DICOM files and were skipped.`] : []),
      ...(this.before.refused > 0
        ? [`${this.before.refused} were refused before and have not changed. Use --again to send them again.`]
        : []),
      ...problems(this.refused, 'were refused and will not be sent again as they are:'),
      ...problems(this.failed, 'could not be sent. Start the uploader again to send them:'),
      ...problems(
        this.unreadable.map((path) => ({ path, reason: 'cannot be read' })),
        'paths cannot be read:',
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
    ...(rest > 0 ? [`  … and ${rest} more; see the log for all of them`] : []),
  ]
}
