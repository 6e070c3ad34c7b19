/** Text without the blanks and zeros that pad values to an even length. */
export function withoutPadding(text: string): string {
  let end = text.length
  while (end > 0 && (text.charCodeAt(end - 1) === 0 || text.charCodeAt(end - 1) === 0x20)) end -= 1
  return text.slice(0, end)
}
