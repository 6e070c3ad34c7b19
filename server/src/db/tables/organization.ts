import type { Activation } from '@dmp/contract'
import type { SaasName } from '@dmp/contract/organization'
import type { ColumnType, Generated } from 'kysely'

export interface OrganizationTable {
  id: Generated<string>
  /** Unique without regard to case. */
  name: string
  region_id: string | null
  status: Generated<Activation>
  status_date: Generated<Date>
  status_by: string
  /** `[0-9a-z]{32}`; null until the datastore is created. */
  datastore_id: string | null
  /** By which its DICOM partners call it: made of its id, so that no organization can take another one's. */
  ae_title: ColumnType<string, never, never>
  created_date: Generated<Date>
  updated_date: Generated<Date>
}

export interface RegionTable {
  id: string
  name: string
  is_default: boolean
  is_active: boolean
  position: number
}

/** 1.05: what can be licensed. */
export interface LicenseTable {
  id: string
  saas: SaasName
  position: number
}

/** 4.06: a license that an organization has or had. */
export interface OrganizationLicenseTable {
  id: Generated<string>
  organization_id: string
  license_id: string
  is_active: boolean
  is_automatic_analysis: boolean
}

export interface OrganizationTables {
  organizations: OrganizationTable
  regions: RegionTable
  licenses: LicenseTable
  organization_licenses: OrganizationLicenseTable
}
