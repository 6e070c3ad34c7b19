import { describeDate } from './describeDate.ts'

const now = Date.parse('2026-05-05T12:00:00.000Z')
const describeAt = (instant: string) => describeDate(instant, now)

describe('the whole of a date', () => {
  it('has weekday, zone and how long ago it was, past or to come [P76]', () => {
    expect(describeAt('2026-05-05T10:00:00.000Z')).toMatch(/^Tuesday, May 5, 2026.* · 2 hours ago$/)
    expect(describeAt('2026-05-08T12:30:00.000Z')).toMatch(/^Friday, May 8, 2026.* · in 3 days$/)
    expect(describeAt('2026-05-05T11:59:40.000Z')).toMatch(/ · this minute$/)
  })

  it('counts a day without a time in days of the viewer, and shows no time', () => {
    expect(describeAt('2026-05-04')).toBe('Monday, May 4, 2026 · yesterday')
    expect(describeAt('2024-05-05')).toBe('Sunday, May 5, 2024 · 2 years ago')
  })

  it('calls the day before yesterday that, and not yesterday', () => {
    const at = new Date(2026, 4, 6, 1).getTime()
    const hoursAgo = (hours: number): string => new Date(at - hours * 3_600_000).toISOString()
    expect(describeDate(hoursAgo(24), at)).toMatch(/ · yesterday$/)
    expect(describeDate(hoursAgo(26), at)).toMatch(/ · 2 days ago$/)
    expect(describeDate(hoursAgo(34 * 24), at)).toMatch(/ · 1 month ago$/)
  })

  it('calls the day of the viewer today, at every hour of it', () => {
    const day = '2026-05-04'
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(2026, 4, 4, hour, 59).getTime())
    expect(new Set(hours.map((at) => describeDate(day, at)))).toEqual(new Set(['Monday, May 4, 2026 · today']))
  })

  it('is empty for what is not a date', () => {
    expect(describeAt('2026-13-45')).toBe('')
  })
})
