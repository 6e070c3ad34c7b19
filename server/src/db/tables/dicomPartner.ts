import type { CallerReason, ServiceName } from '@dmp/contract/dicomPartner'
import type { Generated } from 'kysely'

/** A program that may speak DICOM with an organization. */
export interface DicomPartnerTable {
  id: Generated<string>
  organization_id: string
  /** The person who added it or changed it last. */
  owner_id: string
  /** Unique among those of the organization that are not deleted, without regard to case. */
  name: string
  /** Unique among the same, with regard to case. */
  ae_title: string
  services: ServiceName[]
  /** Networks that it may come from; empty only where a certificate says who it is. */
  addresses: string[]
  /** SHA-256 of its certificate, 64 upper-case hexadecimal digits. */
  fingerprint: string | null
  host: string | null
  port: number | null
  uses_tls: boolean
  created_date: Generated<Date>
  disabled_date: Date | null
  deleted_date: Date | null
  last_seen_date: Date | null
  last_seen_address: string | null
}

/** Somebody who called an organization and was refused. */
export interface DicomCallerTable {
  id: Generated<string>
  organization_id: string
  ae_title: string
  address: string
  reason: CallerReason
  fingerprint: string | null
  times: Generated<number>
  first_date: Generated<Date>
  last_date: Generated<Date>
}

export interface DicomPartnerTables {
  dicom_partners: DicomPartnerTable
  dicom_callers: DicomCallerTable
}
