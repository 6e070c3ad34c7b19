// The browser's own format: dayjs would need the viewer's locale as a file of its own.
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Formats the time of day as the viewer's browser writes it: 09:15 or 9:15 AM. */
export function formatTime(epochMs: number): string {
  return time.format(epochMs)
}
