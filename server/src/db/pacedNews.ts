/**
 * Says something of a key at most once within a pause: whatever is said of it meanwhile is said together at its end.
 *
 * @example
 * const tell = createPacedNews(200, (organizationId) => bus.publish({ kind: 'changesRecorded', organizationId }))
 */
export function createPacedNews(pauseMs: number, publish: (key: string) => void): (key: string) => void {
  /** Keys of which others were told within the pause, and whether there is more since then. */
  const recent = new Map<string, boolean>()
  const say = (key: string): void => {
    recent.set(key, false)
    publish(key)
    setTimeout(() => {
      const hasMore = recent.get(key)
      recent.delete(key)
      if (hasMore) say(key)
    }, pauseMs).unref()
  }
  return (key) => {
    if (recent.has(key)) recent.set(key, true)
    else say(key)
  }
}
