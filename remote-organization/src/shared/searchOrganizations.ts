import { organization } from '@dmp/contract'
import type { Search } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

/** Organizations for the command palette. */
export const searchOrganizations: Search = async ({ term, limit, ask }) => {
  const { rows } = await ask(organization.list, { search: term, page: 1, pageSize: limit, sort: 'name' })
  return rows.map(({ id, name, status, createdDate }) => ({
    to: `/organization/detail/${id}`,
    text: name,
    note: status,
    when: formatDate(createdDate, 'short'),
  }))
}
