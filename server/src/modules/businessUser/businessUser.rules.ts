import type { RoleName } from '@dmp/contract'
import { roleDisplayNames } from '@dmp/contract/policy'
import type { Viewer } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import { isNotAbove } from '../../identity/roles.ts'

/** P03: a viewer can neither give a role above their own nor change a user who has one. */
export function refuseAbove(viewer: Viewer, role: RoleName): void {
  if (!isNotAbove(role, viewer.role))
    throw new Refusal(403, 'ROLE_ABOVE_OWN', `Only a ${roleDisplayNames[role]} may do this.`)
}

export function emailTaken(): Refusal {
  const message = 'This email is already in use.'
  return new Refusal(409, 'EMAIL_TAKEN', message, [{ path: 'email', message }])
}
