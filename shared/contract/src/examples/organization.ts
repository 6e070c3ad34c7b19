import { saasNames } from '../organization.ts'
import type { License, Organization } from '../organization.ts'
import { anId, northClinic } from './ids.ts'

export const aLicense = (over: Partial<License> = {}): License => ({
  id: anId(20),
  licenseId: anId(21),
  isActive: true,
  isAutomaticAnalysis: false,
  saas: saasNames[0],
  ...over,
})

export const anOrganization = (over: Partial<Organization> = {}): Organization => ({
  ...northClinic,
  createdDate: '2025-11-03T10:00:00.000Z',
  updatedDate: '2026-01-08T16:45:00.000Z',
  region: 'Europe',
  status: 'Activated',
  organizationStatus: { status: 'Activated', createdDate: '2025-11-03T10:00:00.000Z', createdByUser: 'Ms Super Admin' },
  licenses: [aLicense()],
  ...over,
})
