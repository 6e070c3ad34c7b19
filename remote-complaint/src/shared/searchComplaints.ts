import { complaint } from '@dmp/contract'
import type { Search } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

/** Complaints for the command palette, the newest first. */
export const searchComplaints: Search = async ({ term, limit, ask }) => {
  const { rows } = await ask(complaint.list, {
    search: term,
    page: 1,
    pageSize: limit,
    sort: 'createdDate',
    direction: 'desc',
  })
  return rows.map(({ id, complaintNumber, description, currentStatus, createdDate }) => ({
    to: `/complaint/detail/${id}`,
    text: complaintNumber,
    note: `${currentStatus} · ${description}`,
    when: formatDate(createdDate, 'short'),
  }))
}
