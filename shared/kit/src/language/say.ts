import { IntlMessageFormat } from 'intl-messageformat'

type Values = Readonly<Record<string, unknown>>

/** Says the texts of one catalogue. Messages are ICU's: plurals, selections, tags around the words of an element. */
export function createSay(
  catalogue: Readonly<Record<string, string>>,
  locale: string,
): (text: string, values?: Values) => unknown {
  // As many as the catalogue has.
  const messages = new Map<string, IntlMessageFormat>()
  return (text, values) => {
    const message = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined
    if (message === undefined || values === undefined) return message
    try {
      const format = messages.get(text) ?? new IntlMessageFormat(message, locale)
      messages.set(text, format)
      return format.format(values as Record<string, never>)
    } catch {
      // English is better than nothing; the check refuses messages that cannot be read.
      return undefined
    }
  }
}
