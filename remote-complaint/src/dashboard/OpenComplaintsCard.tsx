import { complaint } from '@dmp/contract'
import { dataWord, useData } from '@dmp/kit'
import { CardLinks, formatDate } from '@dmp/kit/screen'

const maxRows = 5

/** Unresolved complaints, newest first. */
export function OpenComplaintsCard() {
  const { rows, total = rows.length } = useData(complaint.list, {
    state: 'open',
    page: 1,
    pageSize: maxRows,
    sort: 'createdDate',
    direction: 'desc',
  })
  return (
    <CardLinks
      links={rows.map((row) => ({
        to: `/complaint/detail/${row.id}`,
        text: `${row.complaintNumber} · ${dataWord(row.severity)}`,
        note: `${dataWord(row.currentStatus)} · ${dataWord(row.moduleAlias)} · ${formatDate(row.createdDate, 'short')}`,
      }))}
      all={
        total > maxRows
          ? { to: '/complaint?state=open', text: `${total} open complaints` }
          : { to: '/complaint', text: 'All complaints' }
      }
      none="No open complaints."
    />
  )
}
