import { registration } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { CardLinks, formatDate } from '@dmp/kit/screen'

const shown = 5

/** New customers that wait for approval or rejection, oldest first: they have waited longest. */
export function PendingRegistrationsCard() {
  const { rows, total = rows.length } = useData(registration.list, {
    status: 'New',
    page: 1,
    pageSize: shown,
    sort: 'createdDate',
    direction: 'asc',
  })
  return (
    <CardLinks
      links={rows.map((row) => ({
        to: `/registration/detail/${row.id}`,
        text: row.organizationName,
        note: `${row.contactInfo.firstName} ${row.contactInfo.lastName} · ${formatDate(row.createdDate, 'short')}`,
      }))}
      all={{ to: '/registration', text: total > shown ? `${total} pending registrations` : 'All registrations' }}
      none="Nobody is waiting."
    />
  )
}
