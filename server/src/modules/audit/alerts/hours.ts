import { weekdays, type AlertRules } from '@dmp/contract/organization'
import { atHour, localDay } from '../../../core/timeZones.ts'

export type Hours = Pick<AlertRules, 'days' | 'from' | 'until' | 'timeZone'>

/** From one closing to the next opening. */
export interface ClosedTime {
  readonly since: Date
  readonly until: Date
}

const dayMs = 86_400_000
/** One day of the week is open at least. */
const mostDays = 8

/** The hours of the day that lies so many days after that of `at`, where the organization is open on it. */
function findOpenTime(at: Date, offset: number, { days, from, until, timeZone }: Hours) {
  const { year, month, day } = localDay(at, timeZone)
  const noon = new Date(Date.UTC(year, month - 1, day + offset, 12))
  const weekday = weekdays[(noon.getUTCDay() + 6) % 7]
  if (weekday === undefined || !days.includes(weekday)) return undefined
  const toInstant = (time: string): Date => {
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    return atHour(timeZone, noon.getUTCFullYear(), noon.getUTCMonth() + 1, noon.getUTCDate(), hour, minute)
  }
  return { begin: toInstant(from), end: toInstant(until) }
}

/** The closed time that an instant lies in, by the clocks of the organization; undefined while it is open. */
export function findClosedTime(at: Date, hours: Hours): ClosedTime | undefined {
  let since: Date | undefined
  for (let offset = 0; offset >= -mostDays && since === undefined; offset -= 1) {
    const open = findOpenTime(at, offset, hours)
    if (!open) continue
    if (at >= open.begin && at < open.end) return undefined
    if (at >= open.end) since = open.end
  }
  for (let offset = 0; offset <= mostDays; offset += 1) {
    const open = findOpenTime(at, offset, hours)
    if (open && open.begin > at) return { since: since ?? new Date(at.getTime() - dayMs), until: open.begin }
  }
  return undefined
}
