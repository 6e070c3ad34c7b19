import type { Bus } from './bus.ts'

/** However quickly images arrive: news of an organization go out so often at most. */
const pauseMs = 200

/** Says to every server that an organization has changes. Readers who miss it find them when their wait is over. */
export type ChangeNews = (organizationId: string) => void

export function createChangeNews(bus: Pick<Bus, 'publish'>): ChangeNews {
  /** Organizations of which others were told within the pause, and whether they have more since then. */
  const recent = new Map<string, boolean>()
  const publish = (organizationId: string): void => {
    recent.set(organizationId, false)
    bus.publish({ kind: 'changesRecorded', organizationId })
    setTimeout(() => {
      const hasMore = recent.get(organizationId)
      recent.delete(organizationId)
      if (hasMore) publish(organizationId)
    }, pauseMs).unref()
  }
  return (organizationId) => {
    if (recent.has(organizationId)) recent.set(organizationId, true)
    else publish(organizationId)
  }
}
