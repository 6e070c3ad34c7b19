import type { InboxEntry } from '@dmp/contract/inbox'
import { locale, onFirstUse } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'

const ago = onFirstUse(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }))
const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "5 minutes ago"; "now" within the first minute, and where the clocks of page and server differ. */
export function formatAgo(instant: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(instant))
  const step = steps.find(([, length]) => ms >= length)
  return step ? ago().format(-Math.floor(ms / step[1]), step[0]) : ago().format(0, 'second')
}

/** The entries of each day, in their order. */
export function byDay(
  entries: readonly InboxEntry[],
  now = Date.now(),
): readonly { readonly day: string; readonly entries: readonly InboxEntry[] }[] {
  const today = formatDate(new Date(now).toISOString(), 'day')
  const yesterday = formatDate(new Date(now - 86_400_000).toISOString(), 'day')
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
