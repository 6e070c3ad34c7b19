import { complaint } from '@dmp/contract'
import { useCan } from '@dmp/kit'

/** Whether both statuses and severities may be listed: without one, no menu of the other is offered (6.04). */
export function useMayLoadLists(): boolean {
  const mayListStatuses = useCan(complaint.listStatuses)
  const mayListSeverities = useCan(complaint.listSeverities)
  return mayListStatuses && mayListSeverities
}
