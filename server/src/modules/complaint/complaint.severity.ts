import type { Transaction } from 'kysely'
import type { Lookup, SeverityName } from '@dmp/contract/complaint'
import { nextUpdatedDate } from '../../db/changeConflict.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { ComplaintRecord } from './complaint.repository.ts'

/** Returns the changed row. */
export async function setSeverity(
  trx: Transaction<Tables>,
  complaint: ComplaintRecord,
  severity: Lookup,
): Promise<ComplaintRecord> {
  const columns = { severity_id: severity.id, updated_date: nextUpdatedDate(complaint.updated_date) }
  await trx.updateTable('complaints').set(columns).where('id', '=', complaint.id).execute()
  return { ...complaint, ...columns, severity: severity.name as SeverityName }
}
