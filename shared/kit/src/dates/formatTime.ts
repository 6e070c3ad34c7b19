import { locale } from '../language/language.ts'
import { onFirstUse } from '../onFirstUse.ts'

const time = onFirstUse(() => new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }))

/** Formats the time of day as the language of this page writes it: 09:15 or 9:15 AM. */
export function formatTime(epochMs: number): string {
  return time().format(epochMs)
}
