import { formatMinute, lastHour, toTimeZone } from './timeZones.ts'

const lastSeven = (until: string, zone: string): string => lastHour(new Date(until), 7, zone).toISOString()

describe('the last seven o’clock', () => {
  it.each([
    ['Europe/Berlin', '2026-11-24T06:00:00Z', '2026-11-24T06:00:00.000Z'],
    ['Europe/Berlin', '2026-11-24T05:59:59Z', '2026-11-23T06:00:00.000Z'],
    ['Asia/Tokyo', '2026-11-24T21:59:00Z', '2026-11-23T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-01T02:00:00Z', '2026-03-01T01:15:00.000Z'],
    ['America/Los_Angeles', '2026-01-01T14:00:00Z', '2025-12-31T15:00:00.000Z'],
    ['UTC', '2026-03-01T06:00:00Z', '2026-02-28T07:00:00.000Z'],
    // The clocks went forward and back that night.
    ['Europe/Berlin', '2026-03-29T05:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T04:59:00Z', '2026-03-28T06:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T06:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T05:30:00Z', '2026-10-24T05:00:00.000Z'],
  ])('in %s at %s was %s', (zone, until, expected) => {
    expect(lastSeven(until, zone)).toBe(expected)
  })
})

describe('a time zone', () => {
  it('is taken by the name that it has, and nothing else is', () => {
    expect(toTimeZone('europe/berlin')).toBe('Europe/Berlin')
    for (const text of [undefined, '', 'Nowhere/City', "'; drop table users", 'x'.repeat(100_000)])
      expect(toTimeZone(text)).toBeUndefined()
  })

  it('says minutes by its own clocks', () => {
    expect(formatMinute(new Date('2026-11-24T15:05:59Z'), 'Asia/Tokyo')).toBe('2026-11-25 00:05')
  })
})
