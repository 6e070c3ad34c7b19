import { roleDisplayNames, toPolicy } from '../policy.ts'
import { roleNames } from '../user.ts'
import type { RoleName, User } from '../user.ts'
import { anId, northClinic, provider } from './ids.ts'
import { roles } from './lookups.ts'

/** A user with the role's policy. */
export function aUser(role: RoleName = 'staff', over: Partial<User> = {}): User {
  const internal = role === 'super_admin' || role === 'sys_admin'
  const home = internal ? provider : northClinic
  return {
    id: anId(1),
    email: `${role}@example.org`,
    civility: 'Ms',
    firstName: 'Ada',
    lastName: 'Berg',
    fullName: 'Ms Ada Berg',
    userName: `${role}@example.org`,
    createdDate: '2026-01-15T09:30:00.000Z',
    updatedDate: '2026-02-20T14:05:00.000Z',
    landline: '+49 30 1234567',
    mobile: '+49 170 1234567',
    fax: null,
    isConfirmed: true,
    role: { id: roles[roleNames.indexOf(role)]?.id ?? anId(0), role, roleDisplayName: roleDisplayNames[role] },
    policy: toPolicy(role),
    status: {
      id: anId(2),
      comment: null,
      createdByUser: 'Mr Otto Krug',
      createdDate: '2026-01-16T11:55:00.000Z',
      status: 'Activated',
    },
    organization: { ...home },
    organizationId: home.id,
    ...over,
  }
}
