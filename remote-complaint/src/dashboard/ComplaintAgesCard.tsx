import { complaint } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { BarTable, toWaitBars } from '@dmp/kit/table'

/** For how long open complaints have been open; nothing where none is. */
export function ComplaintAgesCard() {
  const counts = useData(complaint.countOpen, {})
  if (counts.every(({ count }) => count === 0)) return null
  return (
    <BarTable
      label="Open complaints by age"
      nameLabel="Age"
      countLabel="Complaints"
      bars={toWaitBars(counts, (wait) => `/complaint?state=open&wait=${wait}`)}
    />
  )
}
