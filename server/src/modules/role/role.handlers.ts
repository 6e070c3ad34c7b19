import type { role } from '@dmp/contract'
import type { Handlers } from '../../http/implement.ts'
import { roles } from './role.ts'

export const roleHandlers = (): Handlers<typeof role> => ({
  list: async () => [...roles],
})
