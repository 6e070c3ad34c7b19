import { personName } from '@dmp/kit'
import { audit } from '@dmp/contract'
import type { Search } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { toRuleText, toStateText } from './alertTexts.ts'

/** Alerts for the command palette, by the person whom they are about. */
export const searchAlerts: Search = async ({ term, limit, ask }) => {
  const { rows } = await ask(audit.listAlerts, { search: term, page: 1, pageSize: limit })
  return rows.map((row) => ({
    to: `/audit/alerts/${row.id}`,
    text: personName(row.person),
    note: [toStateText(row), toRuleText(row.rule), row.organization].join(' · '),
    when: formatDate(row.raisedDate, 'short'),
  }))
}
