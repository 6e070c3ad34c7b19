import type { role } from '@dmp/contract'
import type { Handlers } from '../../core/handlers.ts'
import { roles } from '../../identity/roles.ts'

export const roleHandlers = (): Handlers<typeof role> => ({
  list: async () => [...roles],
})
