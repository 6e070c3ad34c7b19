/** What a newer server records and this page has no words for: `ScanDrawn` as "Scan drawn", `lensId` as "Lens ID". */
export function formatName(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^(?:[A-Z]{2,}|[Aa]pi|Id)$/.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Names come from the record: one that every object has, such as `constructor`, is none of these. */
export const findWord = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined
