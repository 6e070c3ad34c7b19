import type { Letter } from '../../../outside/letter.ts'
import type { StoreProblem } from './storedBytes.ts'

/** Of a store with many faults the first are enough: `npm run fsck` names all. */
const shown = 20

/** What was altered, by keys that hold UIDs and nothing of a patient. */
export const scrubMail = (to: string, host: string, problems: readonly StoreProblem[], breaks: number): Letter => ({
  to,
  subject: `What ${host} has stored was altered`,
  paragraphs: [
    ...(problems.length > 0
      ? [
          `Objects that are missing or are not what was uploaded: ${problems.length}. Their scans are refused to viewers.`,
          'Restore their files from a backup, or have the scans uploaded again: the same file fills the gap. npm run fsck reads everything at once.',
        ]
      : []),
    ...(breaks > 0
      ? [
          `Places at which the audit trail is broken: ${breaks}. npm run admin -- audit says what happened at each, and what to do.`,
        ]
      : []),
  ],
  lines: problems
    .slice(0, shown)
    .map(({ kind, what }) => `${kind}: ${what}`)
    .join('\n'),
})
