import type { Bus } from './bus.ts'
import type { InboxAudience } from './inboxFacts.ts'
import { createPacedNews } from './pacedNews.ts'

/** What concerns one person is known on all their pages at once. */
const personPauseMs = 500
/** Each page of an organization that hears of it asks how much there is: not more often than that. */
const organizationPauseMs = 10_000

/** Says to every server whose inbox has changed. */
export type InboxNews = (audience: InboxAudience) => void

export function createInboxNews(bus: Pick<Bus, 'publish'>): InboxNews {
  const tellPerson = createPacedNews(personPauseMs, (userId) =>
    bus.publish({ kind: 'inboxChanged', userId, organizationId: null }),
  )
  const tellOrganization = createPacedNews(organizationPauseMs, (id) =>
    bus.publish({ kind: 'inboxChanged', userId: null, organizationId: id === '' ? null : id }),
  )
  return ({ userId, organizationId }) => (userId === null ? tellOrganization(organizationId ?? '') : tellPerson(userId))
}
