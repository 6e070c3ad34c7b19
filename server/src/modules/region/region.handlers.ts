import type { region } from '@dmp/contract'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'

export const regionHandlers = ({ db }: Dependencies): Handlers<typeof region> => ({
  list: async () => {
    const rows = await db.selectFrom('regions').selectAll().orderBy('position').execute()
    return rows.map((row) => ({ id: row.id, name: row.name, isDefault: row.is_default, isActive: row.is_active }))
  },
})
