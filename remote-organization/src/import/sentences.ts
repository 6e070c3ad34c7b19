import { limits } from '@dmp/contract'
import type { ImportReason, OrganizationImport } from '@dmp/contract/organization'
import { formatNumber } from '@dmp/kit'

export const toCounts = ({ objects, stored, present, refused }: OrganizationImport): string =>
  `Of ${formatNumber(objects)} objects, ${formatNumber(stored)} were stored, ${formatNumber(present)} were there already, and ${formatNumber(refused)} were refused.`

/** Why it ended before its end; undefined for one that did not. */
export function toSentence({ state, reason, endedBy }: OrganizationImport): string | undefined {
  if (state === 'Expired') return `Nothing arrived for ${limits.importIdleDays} days, so the upload was removed.`
  return reason === null ? undefined : sentences(endedBy ?? unknownText())[reason]
}

const unknownText = (): string => 'Somebody'

const sentences = (somebody: string): Readonly<Record<ImportReason, string>> => ({
  Person: `${somebody} ended it. What was stored before stays.`,
  RightLost: 'Whoever started it may not import into the organization any more.',
  Unreadable: 'It is no zip that can be read, or it is not whole. Nothing was taken in.',
  Unsafe: 'It has names, sizes or doubles that no export has. Nothing was taken in.',
  NotAnExport: 'It holds no export that can be read. Nothing was taken in.',
  NotWhole: 'Files of it are not what was exported. Nothing was taken in. Download the export once more.',
  Interrupted: 'It was interrupted too often. Start it again: what is stored already is passed over.',
})
