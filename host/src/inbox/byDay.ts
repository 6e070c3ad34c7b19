import type { InboxEntry } from '@dmp/contract/inbox'
import { locale, onFirstUse } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

const ago = onFirstUse(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }))
const dayMs = 86_400_000
const steps = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** As many as the calendar has between them, of which some are an hour shorter or longer. */
function countDays(from: number, to: number): number {
  const [start, end] = [new Date(from).setHours(0, 0, 0, 0), new Date(to).setHours(0, 0, 0, 0)]
  return Math.round((end - start) / dayMs)
}

/** "5 minutes ago"; "now" within the first minute, and where the clocks of page and server differ. */
export function formatAgo(instant: string, now = Date.now()): string {
  const at = Date.parse(instant)
  const ms = Math.max(0, now - at)
  const [unit, length] = steps.find(([, each]) => ms >= each) ?? ['second', Infinity]
  return ago().format(-(unit === 'day' ? countDays(at, now) : Math.floor(ms / length)), unit)
}

/** The entries of each day, in their order. */
export function byDay(
  entries: readonly InboxEntry[],
  now = Date.now(),
): readonly { readonly day: string; readonly entries: readonly InboxEntry[] }[] {
  const today = formatDate(new Date(now).toISOString(), 'day')
  const before = new Date(now)
  before.setDate(before.getDate() - 1)
  const yesterday = formatDate(before.toISOString(), 'day')
  const groups: { day: string; entries: InboxEntry[] }[] = []
  for (const entry of entries) {
    const date = formatDate(entry.date, 'day')
    const dayText = date === today ? 'Today' : date === yesterday ? 'Yesterday' : date
    const last = groups.at(-1)
    if (last?.day === dayText) last.entries.push(entry)
    else groups.push({ day: dayText, entries: [entry] })
  }
  return groups
}
