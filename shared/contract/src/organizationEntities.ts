import * as v from 'valibot'
import { Instant, Uuid, maybe } from './fields.ts'
import { Activation } from './user.ts'

const Text = v.string('Text.')
const Flag = v.boolean('Must be true or false.')

/** 3.07: the provider's own organization, built in. */
export const providerOrganizationId = '00000000-0000-4000-8000-000000000001'

/** 6.09: the provider's own organization cannot be renamed, deactivated or licensed. */
export function isBuiltIn({ id }: { readonly id: string }): boolean {
  return id === providerOrganizationId
}

/** 1.05, 9.13: the add-on apps that can be licensed. */
export const saasNames = ['Autometrics', 'BMD', 'OssView', 'PeekMed'] as const
export const SaasName = v.picklist(saasNames, 'This is not a licensed add-on app.')
export type SaasName = v.InferOutput<typeof SaasName>

/** 3.07: a license of an organization. */
export const License = v.object({ id: Uuid, licenseId: Uuid, isActive: Flag, isAutomaticAnalysis: Flag, saas: Text })
export type License = v.InferOutput<typeof License>

/** 3.07: `organizationStatus` holds since when and by whom. */
export const Organization = v.object({
  id: Uuid,
  name: Text,
  createdDate: Instant,
  updatedDate: Instant,
  region: maybe(Text),
  status: Activation,
  organizationStatus: v.object({ status: Activation, createdDate: Instant, createdByUser: Text }),
  licenses: v.array(License, 'A list.'),
})
export type Organization = v.InferOutput<typeof Organization>

/** An entry of the organization selectors (6.05). Without a datastore there are no scans. */
export const OrganizationChoice = v.object({ id: Uuid, name: Text, hasDatastore: v.optional(v.boolean('Yes or no.')) })
export type OrganizationChoice = v.InferOutput<typeof OrganizationChoice>

/** 7.31, 4.04: whether the datastore exists. */
export const DatastoreCheck = v.object({ organizationExists: v.boolean('Yes or no.') })
export type DatastoreCheck = v.InferOutput<typeof DatastoreCheck>
