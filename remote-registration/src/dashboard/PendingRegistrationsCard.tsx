import { registration } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { CardLinks, formatDate } from '@dmp/kit/screen'

const maxRows = 5

/** Registrations that wait for approval or rejection, the longest wait first. */
export function PendingRegistrationsCard() {
  const { rows, total = rows.length } = useData(registration.list, {
    status: 'New',
    page: 1,
    pageSize: maxRows,
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
      all={
        total > maxRows
          ? { to: '/registration?status=New', text: `${total} new registrations` }
          : { to: '/registration', text: 'All registrations' }
      }
      none="No new registrations."
    />
  )
}
