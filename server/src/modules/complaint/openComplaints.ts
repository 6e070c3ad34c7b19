import type { WaitCounts } from '@dmp/contract/waits'
import type { Viewer } from '../../core/context.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Db } from '../../db/client.ts'
import { countWaits } from '../../db/waits.ts'
import { resolved } from './complaint.repository.ts'

/** The open complaints that the viewer may see, by age. */
export function countOpenComplaints(db: Db, viewer: Viewer): Promise<WaitCounts> {
  const open = db
    .selectFrom('complaints')
    .select('complaints.created_date')
    .where('complaints.status_id', 'in', (eb) =>
      eb.selectFrom('complaint_statuses').select('id').where('name', '!=', resolved),
    )
  return countWaits(db, visibleTo(open, viewer, 'complaints.organization_id'))
}
