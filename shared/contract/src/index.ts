/**
 * The contract between browser and server. Calls are grouped by the specification's modules: `complaint.list`.
 *
 * @example
 * import { complaint, permits } from '@dmp/contract'
 * complaint.get.definition.path // '/Complaint/get'
 * permits(policy, complaint.get.definition.needs)
 */
export * as account from './account.ts'
export * as apiToken from './apiToken.ts'
export * as audit from './audit.ts'
export * as businessUser from './businessUser.ts'
export * as changes from './changes.ts'
export * as complaint from './complaint.ts'
export * as dicomPartner from './dicomPartner.ts'
export * as email from './email.ts'
export * as inbox from './inbox.ts'
export * as organization from './organization.ts'
export * as override from './override.ts'
export * as region from './region.ts'
export * as registration from './registration.ts'
export * as release from './releaseCalls.ts'
export * as role from './role.ts'
export * as scan from './scan/index.ts'
export * as station from './station.ts'
export * as webhook from './webhook.ts'
export * from './endpoint.ts'
export { pageQuery } from './paging.ts'
export * from './fields.ts'
export * from './user.ts'
export { limits } from './limits.ts'
