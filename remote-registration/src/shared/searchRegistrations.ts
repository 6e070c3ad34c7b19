import { registration } from '@dmp/contract'
import type { Search } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

/** Registrations for the command palette, the newest first. */
export const searchRegistrations: Search = async ({ term, limit, ask }) => {
  const { rows } = await ask(registration.list, {
    search: term,
    page: 1,
    pageSize: limit,
    sort: 'createdDate',
    direction: 'desc',
  })
  return rows.map(({ id, organizationName, contactInfo, status, createdDate }) => ({
    to: `/registration/detail/${id}`,
    text: organizationName,
    note: `${status} · ${contactInfo.firstName} ${contactInfo.lastName} · ${contactInfo.email}`,
    when: formatDate(createdDate, 'short'),
  }))
}
