const longest = 64

/** As many whole sentences as an LO has room for (PS3.5 section 6.2); of a first one that is too long, whole words. */
export function toComment(text: string): string {
  if (text.length <= longest) return text
  const sentences = text.slice(0, longest + 1).lastIndexOf('. ')
  if (sentences > 0) return text.slice(0, sentences + 1)
  const room = longest - ' ...'.length
  const words = text.lastIndexOf(' ', room)
  return `${text.slice(0, words > 0 ? words : room)} ...`
}
