import { policyActions, type ModuleName } from './endpoint.ts'
import type { RoleName } from './user.ts'

/** The rights of a role: actions per module. The server enforces them; pages receive them as the user's policy. */
export type Rights = { readonly [M in ModuleName]?: readonly (typeof policyActions)[M][number][] }

const without = <T extends string>(all: readonly T[], ...taken: readonly T[]): T[] =>
  all.filter((action) => !taken.includes(action))

/** Only super_admin decides which releases everyone runs. */
const { Release: _releases, ...exceptReleases } = policyActions

const complainant = ['List', 'Get', 'Add', 'ListTypes'] as const

export const rightsOfRole: Readonly<Record<RoleName, Rights>> = {
  super_admin: policyActions,
  sys_admin: {
    ...exceptReleases,
    Audit: without(policyActions.Audit, 'Check'),
    Scan: without(policyActions.Scan, 'Delete', 'Download'),
    Organization: without(policyActions.Organization, 'DeActivate', 'Export', 'Import'),
  },
  admin: {
    Complaint: complainant,
    Organization: ['Get', 'Update', 'ListLicenses', 'Export', 'Import'],
    Scan: policyActions.Scan,
    BusinessUser: without(policyActions.BusinessUser, 'SendUpdatedTermsOfUse'),
    Audit: policyActions.Audit,
    ApiToken: policyActions.ApiToken,
    Webhook: policyActions.Webhook,
    DicomPartner: policyActions.DicomPartner,
    Station: policyActions.Station,
  },
  staff: { Complaint: complainant, Scan: ['List', 'Get', 'Upload', 'Share', 'Download'] },
  service_user: { Scan: ['List', 'Get', 'Upload'] },
}

/** Ids of the modules, part of the contract because complaints and policies name them (3.04, 3.10). */
export const moduleIds: Readonly<Record<ModuleName, string>> = {
  Complaint: '00000000-0000-4000-8000-000000000101',
  Organization: '00000000-0000-4000-8000-000000000102',
  Registration: '00000000-0000-4000-8000-000000000103',
  Scan: '00000000-0000-4000-8000-000000000104',
  BusinessUser: '00000000-0000-4000-8000-000000000105',
  Audit: '00000000-0000-4000-8000-000000000106',
  Release: '00000000-0000-4000-8000-000000000107',
  ApiToken: '00000000-0000-4000-8000-000000000108',
  Webhook: '00000000-0000-4000-8000-000000000109',
  DicomPartner: '00000000-0000-4000-8000-000000000110',
  Station: '00000000-0000-4000-8000-000000000111',
}

/** The names of the roles on screens. */
export const roleDisplayNames: Readonly<Record<RoleName, string>> = {
  super_admin: 'Super Administrator',
  sys_admin: 'System Administrator',
  admin: 'Administrator',
  staff: 'Staff',
  service_user: 'Service User',
}

/** The policy that a user of the role carries (3.04). */
export function toPolicy(role: RoleName): { moduleId: string; module: ModuleName; actions: string[] }[] {
  return (Object.entries(rightsOfRole[role]) as [ModuleName, readonly string[]][]).map(([module, actions]) => ({
    moduleId: moduleIds[module],
    module,
    actions: [...actions],
  }))
}

/** @deprecated since 1.1: `toPolicy`. */
export const policyOf = toPolicy
