/** `Family^Given^Middle^Prefix^Suffix` → `Family, Given Middle`, as worklists print it. */
export function formatPersonName(group: string): string {
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim())
  const rest = [prefix, given, middle].filter(Boolean).join(' ')
  return [family, rest, suffix].filter(Boolean).join(', ')
}

/** DA → YYYY-MM-DD, also from the retired YYYY.MM.DD; null for anything that is not a date. */
export function formatDate(value: string | null): string | null {
  const match = /^(\d{4})[.-]?(\d{2})[.-]?(\d{2})/.exec(value ?? '')
  if (!match) return null
  const [, year, month, day] = match
  const calendarDate = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return Number.isNaN(calendarDate.getTime()) || calendarDate.getUTCDate() !== Number(day)
    ? null
    : `${year}-${month}-${day}`
}
