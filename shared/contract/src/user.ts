import * as v from 'valibot'
import { ChosenId, Civility, Email, Instant, Phone, Uuid, maybe, personName, exact } from './fields.ts'

/** 6.01, highest first: a viewer may add users of roles not above its own (P03). */
export const roleNames = ['super_admin', 'sys_admin', 'admin', 'staff', 'service_user'] as const
export const RoleName = v.picklist(roleNames, 'This is not a role.')
export type RoleName = v.InferOutput<typeof RoleName>

/** 3.04, 6.02: a module with its allowed actions. */
export const PolicyEntry = v.object({
  moduleId: Uuid,
  module: v.string('Module is text.'),
  actions: v.array(v.string('Actions are text.'), 'Actions are a list.'),
})
export type PolicyEntry = v.InferOutput<typeof PolicyEntry>

/** 4.03: the status of organizations and users. */
export const Activation = v.picklist(['Activated', 'Deactivated'], 'Activated or Deactivated.')
export type Activation = v.InferOutput<typeof Activation>

/** 4.03: an organization or user can be activated only while deactivated, and the reverse. */
export function activationMayFollow(current: Activation, next: Activation): boolean {
  return current !== next
}

/** 3.06: a role. */
export const Role = v.object({
  id: Uuid,
  name: RoleName,
  displayName: v.string('Text.'),
  isDefault: v.boolean('Yes or no.'),
})
export type Role = v.InferOutput<typeof Role>

/** 3.06: a role that the add form offers. */
export const RoleChoice = v.object({ id: Uuid, displayName: v.string('Text.') })
export type RoleChoice = v.InferOutput<typeof RoleChoice>

const Text = v.string('Text.')

/** 3.04. `policy` is there for the viewer's own profile only; for other users it is empty. */
export const User = v.object({
  id: Uuid,
  email: Text,
  civility: Text,
  firstName: Text,
  lastName: Text,
  fullName: Text,
  userName: Text,
  createdDate: Instant,
  updatedDate: Instant,
  landline: maybe(Text),
  mobile: maybe(Text),
  fax: maybe(Text),
  /** Whether the person has set a password of their own yet (6.07). */
  isConfirmed: v.boolean('Yes or no.'),
  role: v.object({ id: Uuid, role: RoleName, roleDisplayName: Text }),
  policy: v.array(PolicyEntry, 'A list.'),
  status: v.object({ id: Uuid, comment: maybe(Text), createdByUser: Text, createdDate: Instant, status: Activation }),
  organization: v.object({ id: Uuid, name: Text }),
  organizationId: Uuid,
})
export type User = v.InferOutput<typeof User>

export const contactEntries = {
  civility: Civility,
  firstName: personName(() => 'Please enter a first name.'),
  lastName: personName(() => 'Please enter a last name.'),
  mobile: Phone,
  landline: Phone,
  fax: Phone,
}

/** 3.15: the update of a profile, one's own or another user's. */
export const ProfileDraft = exact(contactEntries)
export type ProfileDraft = v.InferOutput<typeof ProfileDraft>

/** 3.16: the add-user payload. */
export const UserDraft = exact({
  ...contactEntries,
  userName: Email,
  email: Email,
  organizationId: ChosenId,
  roleId: ChosenId,
})
export type UserDraft = v.InferOutput<typeof UserDraft>

/** Answer of the uniqueness checks (5.04): the form shows `message` when the address cannot be used. */
export const Availability = v.object({ available: v.boolean('Yes or no.'), message: Text })
export type Availability = v.InferOutput<typeof Availability>
