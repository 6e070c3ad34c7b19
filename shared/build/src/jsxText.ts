/** JSX drops line breaks at the ends, and spaces there only together with them. */
export function trimLineBreaks(text: string): string {
  const [start, end] = [text.trimStart(), text.trimEnd()]
  const isBrokenBefore = text.slice(0, text.length - start.length).includes('\n')
  const isBrokenAfter = text.slice(end.length).includes('\n')
  const trimmed = isBrokenBefore ? start : text
  return isBrokenAfter ? trimmed.trimEnd() : trimmed
}

const entities: Readonly<Record<string, string>> = { apos: "'", quot: '"', amp: '&', nbsp: ' ', lt: '<', gt: '>' }

/** `&apos;` and the like as people see them. */
export const decode = (text: string): string => text.replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
