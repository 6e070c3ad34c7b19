import { registration } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { BarTable, toWaitBars } from '@dmp/kit/table'

/** For how long registrations have been waiting; nothing where none is. */
export function RegistrationAgesCard() {
  const counts = useData(registration.countPending, {})
  if (counts.every(({ count }) => count === 0)) return null
  return (
    <BarTable
      label="New registrations by age"
      nameLabel="Age"
      countLabel="Registrations"
      bars={toWaitBars(counts, (wait) => `/registration?status=New&wait=${wait}`)}
    />
  )
}
