const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** The first line of each error, and what a list held that should have been empty. */
export function toReason(messages: readonly string[]): string {
  const sentences = messages.map((message) => {
    const lines = message
      .replaceAll(colours, '')
      .split('\n')
      .map((line) => line.trim())
    const listedItems = lines.filter((line) => /^\+\s+"/.test(line)).map((line) => line.replace(/^\+\s+"|",?$/g, ''))
    return [(lines[0] ?? '').replace(/^Error: /, ''), ...listedItems.slice(0, 2)].join(': ')
  })
  return [...new Set(sentences)].slice(0, 2).join(' / ')
}
