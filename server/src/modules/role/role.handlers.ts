import type { role } from '@dmp/contract'
import type { Handlers } from '../../http/routes.ts'
import { roles } from '../../identity/roles.ts'

export const roleHandlers = (): Handlers<typeof role> => ({
  list: async () => [...roles],
})
