import type { CallerReason, DicomNode, StatusName } from '@dmp/contract/dicomPartner'
import type { BadgeTone } from '@dmp/kit/ui'

const tones: Readonly<Record<StatusName, BadgeTone>> = {
  Active: 'success',
  Suspended: 'warning',
  Disabled: 'secondary',
}
export const toTone = (status: string): BadgeTone => tones[status as StatusName] ?? 'secondary'

export const reasonTexts: Readonly<Record<CallerReason, string>> = {
  Unknown: 'No partner has this AE title',
  Disabled: 'The partner is disabled, or the organization is deactivated',
  WrongAddress: 'The partner may not come from this address',
  WrongCertificate: 'The partner did not show its certificate',
}

/** Where a device finds the node. */
export function formatPorts({ port, tlsPort }: DicomNode): string {
  const ports = [port, tlsPort === null || tlsPort === undefined ? null : `${tlsPort} (TLS)`]
  const open = ports.filter((each) => each !== null && each !== undefined)
  return open.length === 0 ? 'Off: an operator turns it on with DMP_DICOM_PORT' : open.join(', ')
}
