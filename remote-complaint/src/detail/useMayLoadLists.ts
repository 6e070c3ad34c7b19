import { complaint } from '@dmp/contract'
import { useCan } from '@dmp/kit'

/** Whether statuses and severities may be listed: a menu of either is offered only to those who may load both (6.04). */
export function useMayLoadLists(): boolean {
  const mayListStatuses = useCan(complaint.listStatuses)
  const mayListSeverities = useCan(complaint.listSeverities)
  return mayListStatuses && mayListSeverities
}
