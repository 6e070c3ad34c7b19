/** Formats `ScanViewed` as "Scan viewed", `seriesUID` as "Series UID", `ApiTokenEnded` as "API token ended". */
export function formatName(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^(?:[A-Z]{2,}|[Aa]pi)$/.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
