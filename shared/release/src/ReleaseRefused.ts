import type { Incompatibility } from './preflight/compatibility.ts'
import type { Verdict } from './preflight/verdicts.ts'

/** The releases cannot be live, or not together; nothing changed. */
export class ReleaseRefused extends Error {
  override readonly name = 'Refused'
  readonly incompatibilities: readonly Incompatibility[]
  /** The verdict that refused it, if a preflight ran. */
  readonly verdict: Verdict | undefined

  constructor(
    incompatibilities: readonly Incompatibility[],
    report?: { readonly verdict: Verdict; readonly text: string },
  ) {
    super(report?.text ?? incompatibilities.map(({ reason, cure }) => `${reason} ${cure}`).join('\n'))
    this.incompatibilities = incompatibilities
    this.verdict = report?.verdict
  }
}
