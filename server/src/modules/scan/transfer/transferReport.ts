import type { scan } from '@dmp/contract'
import type { TransferScanRow } from './transfer.repository.ts'

interface StoredReport {
  readonly done: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
  readonly instances: number
  /** Absent where an earlier version made the copy, which held nothing back. */
  readonly pictures?: ReportedPictures
}

/** What became of the pictures that were held back, and when somebody decided so. */
export interface ReportedPictures {
  readonly masked: number
  readonly unchanged: number
  readonly leftOut: number
  readonly seenElsewhere: number
  readonly rectangles: number
  readonly decidedDate: string | null
}

const deidentified = [
  'De-identified according to DICOM PS3.15 Annex E, Basic Application Level Confidentiality Profile, and beyond it: texts that anybody may have written, and values in which a name, number, date or UID of the object was found.',
  'Attributes of UIDs have new UIDs, except for those that DICOM itself registered: they name kinds of things.',
]
const unchangedPixels =
  'The pixels were not changed; remarks between compressed pixels and bytes behind the last pixel were removed.'
const uncheckedPixels = 'They were not checked for text burned into them.'
const heldPixels = [
  'Pictures that say that text is burned in, and those of kinds that often have some, were held back until somebody had looked at them. All other pictures were not checked.',
  'Remarks between compressed pixels and bytes behind the last pixel were removed. Pixels were changed within blackened rectangles only; compressed frames were decoded for that and compressed again without loss.',
]

const copied = [
  'NOT de-identified: only the UIDs are new.',
  'Attributes of UIDs have new UIDs. Texts and private attributes are as they were, and may name the old ones.',
]

/**
 * The proof of a transfer as plain text: which rule changed which attribute, and what a person should check. It holds
 * no value.
 */
export function formatTransferReport(transfer: scan.Transfer, rows: readonly TransferScanRow[]): string {
  const end = transfer.finishedDate ? `finished ${transfer.finishedDate}` : 'not finished'
  const lines = [
    `Transfer ${transfer.id}`,
    `To ${transfer.dstOrganizationName}, started ${transfer.createdDate}, ${end}: ${transfer.state}`,
    ...(transfer.anonymize ? deidentified : copied),
    transfer.project
      ? `New UIDs and pseudonyms are the same in every transfer of the project “${transfer.project}”, whose secret is kept under the key of the organization.`
      : 'New UIDs and pseudonyms are the same throughout this transfer; the secret that makes them is deleted once the transfer is finished.',
    ...describePixels(transfer, rows),
    '',
  ]
  for (const row of rows) {
    const report = readReport(row)
    lines.push(
      `Scan ${row.position + 1} of ${rows.length}: ${row.state}`,
      `  series ${row.new_series_uid ?? 'none'}${report ? `, ${report.instances} objects` : ''}`,
    )
    if ((row.state === 'Failed' || row.state === 'Held') && row.message) lines.push(`  ${row.message}`)
    lines.push(...formatPictures(report?.pictures))
    for (const warning of report?.warnings ?? []) lines.push(`  CHECK THIS: ${warning}`)
    for (const [what, count] of Object.entries(report?.done ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(`  ${String(count).padStart(6)} × ${what}`)
    lines.push('')
  }
  return lines.join('\n')
}

const readReport = (row: TransferScanRow): StoredReport | null => row.report as unknown as StoredReport | null

function describePixels({ anonymize }: scan.Transfer, rows: readonly TransferScanRow[]): readonly string[] {
  if (!anonymize) return [`Pixel data were copied byte for byte. ${uncheckedPixels}`]
  const isOfEarlierVersion = rows.some((row) => row.report !== null && readReport(row)?.pictures === undefined)
  return isOfEarlierVersion ? [`${unchangedPixels} ${uncheckedPixels}`] : heldPixels
}

function formatPictures(pictures: ReportedPictures | undefined): string[] {
  if (!pictures?.decidedDate) return []
  const { masked, unchanged, leftOut, seenElsewhere, rectangles, decidedDate } = pictures
  const count = (number: number, what: string) => (number === 0 ? [] : [`  ${String(number).padStart(6)} × ${what}`])
  return [
    `  Somebody looked at the pictures that were held back, and decided on ${decidedDate}:`,
    ...count(masked, `picture with rectangles blackened (${rectangles} drawn for this scan)`),
    ...count(unchanged, 'picture in which there was nothing to hide'),
    ...count(leftOut, 'picture left out'),
    ...count(seenElsewhere, 'picture that cannot be shown here, and was looked at elsewhere or left out'),
  ]
}
