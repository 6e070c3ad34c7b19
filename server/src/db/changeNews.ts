import type { Bus } from './bus.ts'
import { createPacedNews } from './pacedNews.ts'

/** However quickly images arrive: news of an organization go out so often at most. */
const pauseMs = 200

/** Says to every server that an organization has changes. Readers who miss it find them when their wait is over. */
export type ChangeNews = (organizationId: string) => void

export const createChangeNews = (bus: Pick<Bus, 'publish'>): ChangeNews =>
  createPacedNews(pauseMs, (organizationId) => bus.publish({ kind: 'changesRecorded', organizationId }))
