import { SourceMap, type SourceMapPayload } from 'node:module'
import type { Page } from 'playwright'

/**
 * Where the browser's debugger shows this text of the running code: `file:///…/Screen.tsx:12`. The newest script that
 * has it counts, as after an edit.
 */
export async function findSource(page: Page, text: string): Promise<string> {
  const debug = await page.context().newCDPSession(page)
  try {
    const scripts: { scriptId: string; url: string; sourceMapURL?: string | undefined }[] = []
    debug.on('Debugger.scriptParsed', (script) => scripts.push(script))
    // It tells of all that are there before it answers.
    await debug.send('Debugger.enable')
    for (const { scriptId, url, sourceMapURL = '' } of scripts.toReversed()) {
      if (sourceMapURL === '') continue
      const { scriptSource } = await debug.send('Debugger.getScriptSource', { scriptId })
      const lines = scriptSource.split('\n')
      const line = lines.findIndex((each) => each.includes(text))
      if (line < 0) continue
      const reply = await page.request.get(new URL(sourceMapURL, url).href)
      if (!reply.ok()) return `${url}: its map is answered with ${reply.status()}`
      const entry = new SourceMap((await reply.json()) as SourceMapPayload).findEntry(
        line,
        lines[line]?.indexOf(text) ?? 0,
      )
      return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : `${url}: no source`
    }
    return `no script with a map has "${text}"`
  } finally {
    await debug.detach()
  }
}
