import { formatDate, formatToday, getTimeZone } from './formatDate.ts'

describe('dates', () => {
  it('are right in the hour that another zone skips in spring [9.10]', () => {
    expect(formatDate('2032-03-13T13:20:41.785Z', 'moment', 'Pacific/Apia')).toBe('2032-03-14, 02:20 am GMT+13')
    expect(formatDate('2026-03-29T01:30:00.000Z', 'moment', 'Europe/Berlin')).toBe('2026-03-29, 03:30 am GMT+2')
    expect(formatDate('2026-01-05T18:00:00.000Z', 'moment', 'Asia/Kolkata')).toBe('2026-01-05, 11:30 pm GMT+5:30')
  })

  it('that do not exist stay as they are written [9.10]', () => {
    expect(formatDate('2026-13-45', 'short')).toBe('2026-13-45')
  })

  it('of today are days in UTC, as in file names', () => {
    jest.useFakeTimers({ now: Date.parse('2026-01-05T23:59:59.000Z') })
    expect(formatToday()).toBe('2026-01-05')
    jest.useRealTimers()
  })

  it('are searched for in the viewer’s own zone [2.63]', () => {
    expect(getTimeZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  })
})
