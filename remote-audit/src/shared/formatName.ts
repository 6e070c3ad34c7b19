/** Formats `ScanViewed` as "Scan viewed" and `seriesUID` as "Series UID". */
export function formatName(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
