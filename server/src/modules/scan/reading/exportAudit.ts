import type { WriteContext } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'

interface ExportedList {
  readonly rows: number
  readonly isSearch: boolean
}

/** Records each list that left the product with the names of patients, also one that was taken a moment ago (P24). */
export const recordExport = (
  { write }: Pick<Dependencies, 'write'>,
  context: WriteContext,
  organizationId: string,
  list: ExportedList,
): Promise<void> =>
  write(context, ({ audit }) => audit({ event: 'ScansExported', organizationId, subject: { ...list } }))
