import { roleNames, type Role, type RoleName } from '@dmp/contract'
import { roleDisplayNames } from '@dmp/contract/policy'

/** Roles are part of the product, not data: their ids never change. */
export const roleIds = Object.fromEntries(
  roleNames.map((name, index) => [name, `00000000-0000-4000-8000-000000000${701 + index}`]),
) as Readonly<Record<RoleName, string>>

export const roles: readonly Role[] = roleNames.map((name) => ({
  id: roleIds[name],
  name,
  displayName: roleDisplayNames[name],
  isDefault: name === 'staff',
}))

export const roleOfId = (id: string): RoleName | undefined =>
  roleNames.find((name) => roleIds[name] === id.toLowerCase())

/** P03: a viewer may give roles that are not above its own. */
export const isNotAbove = (role: RoleName, own: RoleName): boolean => roleNames.indexOf(role) >= roleNames.indexOf(own)
