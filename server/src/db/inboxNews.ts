import type { Bus } from './bus.ts'
import type { InboxAudience } from './inboxFacts.ts'
import { createPacedNews } from './pacedNews.ts'

/** Each page that hears of it asks how much there is: not more often than that. */
const pauseMs = 2000

/** Says to every server whose inbox has changed. */
export type InboxNews = (audience: InboxAudience) => void

export function createInboxNews(bus: Pick<Bus, 'publish'>): InboxNews {
  const publish = createPacedNews(pauseMs, (key) => {
    const [userId = '', organizationId = ''] = key.split(' ')
    bus.publish({ kind: 'inboxChanged', userId: userId || null, organizationId: organizationId || null })
  })
  return ({ userId, organizationId }) => publish(`${userId ?? ''} ${userId === null ? (organizationId ?? '') : ''}`)
}
