import type { region } from '@dmp/contract'
import type { Handlers } from '../../http/implement.ts'
import type { Parts } from '../../parts.ts'

export const regionHandlers = ({ db }: Parts): Handlers<typeof region> => ({
  list: async () => {
    const rows = await db.selectFrom('regions').selectAll().orderBy('position').execute()
    return rows.map((row) => ({ id: row.id, name: row.name, isDefault: row.is_default, isActive: row.is_active }))
  },
})
