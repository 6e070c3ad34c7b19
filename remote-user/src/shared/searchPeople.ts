import { personName } from '@dmp/kit'
import { businessUser } from '@dmp/contract'
import type { Search } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

/** People for the command palette. */
export const searchPeople: Search = async ({ term, limit, ask }) => {
  const { rows } = await ask(businessUser.list, { search: term, page: 1, pageSize: limit, sort: 'lastName' })
  return rows.map(({ id, fullName, email, role, organization, status, createdDate }) => ({
    to: `/user/detail/${id}`,
    text: personName(fullName),
    note: [status.status === 'Activated' ? '' : status.status, email, role.roleDisplayName, organization.name]
      .filter(Boolean)
      .join(' · '),
    when: formatDate(createdDate, 'short'),
  }))
}
