/** Aligns rows under their headings; numbers are right-aligned. */
export function formatTable(headings: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const all = [headings, ...rows]
  const widths = headings.map((_heading, column) => Math.max(...all.map((row) => String(row[column] ?? '').length)))
  const line = (row: ReadonlyArray<string | number>): string =>
    row
      .map((cell, column) =>
        typeof cell === 'number' ? String(cell).padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}

export const formatKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** "21 Nov 18:04", in the reader's time zone. */
export const formatTime = (instant: string | null): string =>
  instant === null
    ? '–'
    : new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' }).format(
        new Date(instant),
      )

/** Names the people who get a canary. */
export function formatAudience({
  percent,
  users,
}: {
  readonly percent: number
  readonly users: readonly string[]
}): string {
  const named = users.length === 0 ? '' : users.length === 1 ? users[0]! : `${users.length} named users`
  const share = percent > 0 || users.length === 0 ? `${percent} % of users` : ''
  return [share, named].filter(Boolean).join(' and ')
}
