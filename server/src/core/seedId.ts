const kinds = { organization: 1, user: 2, complaint: 3, registration: 4 } as const

/** The same at every start, so that the seed knows what it has made already. */
export const seedId = (kind: keyof typeof kinds, n: number): string =>
  `00000000-0000-4000-8000-0000001${kinds[kind]}${String(n).padStart(4, '0')}`

/** A time of a working day, `days` before now. */
export function daysAgo(days: number, hour = 9, minute = 0): Date {
  const date = new Date(Date.now() - days * 86_400_000)
  date.setUTCHours(hour, minute, (days * 7) % 60, 0)
  // Today's working hour may still be to come.
  return date.getTime() > Date.now() ? new Date(date.getTime() - 86_400_000) : date
}
