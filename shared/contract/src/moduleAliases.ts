import type { ModuleName } from './endpoint.ts'

/** The modules' names on screens (2.32: BusinessUser is shown as User). */
export const moduleAliases: Readonly<Record<ModuleName, string>> = {
  Complaint: 'Complaint',
  Organization: 'Organization',
  Registration: 'Registration',
  Scan: 'Scan',
  BusinessUser: 'User',
  Audit: 'Audit',
  Release: 'Platform',
  ApiToken: 'API tokens',
  Webhook: 'Webhooks',
  DicomPartner: 'DICOM partners',
  Station: 'Stations',
}
