import type { scan } from '@dmp/contract'
import type { TransferScanRow } from './transfer.repository.ts'

interface StoredReport {
  readonly done: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
  readonly instances: number
}

const deidentified = [
  'De-identified according to DICOM PS3.15 Annex E, Basic Application Level Confidentiality Profile, and beyond it: texts that anybody may have written, and values in which a name, number, date or UID of the object was found.',
  'Attributes of UIDs have new UIDs, except for those that DICOM itself registered: they name kinds of things.',
]
const unchangedPixels =
  'The pixels were not changed; remarks between compressed pixels and bytes behind the last pixel were removed.'

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
    `${transfer.anonymize ? unchangedPixels : 'Pixel data were copied byte for byte.'} They were not checked for text burned into them.`,
    '',
  ]
  for (const row of rows) {
    const report = row.report as unknown as StoredReport | null
    lines.push(
      `Scan ${row.position + 1} of ${rows.length}: ${row.state}`,
      `  series ${row.new_series_uid ?? 'none'}${report ? `, ${report.instances} objects` : ''}`,
    )
    if (row.state === 'Failed' && row.message) lines.push(`  ${row.message}`)
    for (const warning of report?.warnings ?? []) lines.push(`  CHECK THIS: ${warning}`)
    for (const [what, count] of Object.entries(report?.done ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(`  ${String(count).padStart(6)} × ${what}`)
    lines.push('')
  }
  return lines.join('\n')
}
