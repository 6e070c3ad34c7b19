const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** What a browser's test says in its own words where a page answers nothing any more. */
const hanging = /^(?:\w*Error: )?(?:page\.\w+: )?(?:Test timeout of|Timeout) \d+ms exceeded/
const notAnswering =
  'the page did not answer in time: the part waits for something that does not come, or holds up its thread (an endless loop)'

/** The first line of each error, and what a list held that should have been empty. */
export function toReason(messages: readonly string[]): string {
  const sentences = messages.map((message) => {
    const lines = message
      .replaceAll(colours, '')
      .split('\n')
      .map((line) => line.trim())
    if (hanging.test(lines[0] ?? '')) return notAnswering
    const listedItems = lines.filter((line) => /^\+\s+"/.test(line)).map((line) => line.replace(/^\+\s+"|",?$/g, ''))
    return [(lines[0] ?? '').replace(/^Error: /, ''), ...listedItems.slice(0, 2)].join(': ')
  })
  return [...new Set(sentences)].slice(0, 2).join(' / ')
}
