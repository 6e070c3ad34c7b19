import type { Permission } from '@dmp/contract'
import { permissionsOfScope, scopeNames } from '@dmp/contract/apiToken'
import { Refusal } from '../core/errors.ts'

/** What an administrator has to change, for whoever set the machine up. */
export function outOfScope({ module, action }: Permission): Refusal {
  const holds = (scope: (typeof scopeNames)[number]): boolean =>
    permissionsOfScope[scope].some((held) => held.module === module && held.action === action)
  const scope = scopeNames.find(holds) ?? 'read'
  const sentence = `This API token may not do this. It needs the scope "${scope}", and an owner who may do it as well.`
  return new Refusal(403, 'NOT_ALLOWED', sentence)
}
