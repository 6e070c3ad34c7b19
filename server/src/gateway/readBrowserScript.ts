import { readFileSync } from 'node:fs'

/** A script that stands in pages, without its comments and indentation: every page carries it. */
export const readBrowserScript = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replaceAll(/^\s*(?:\/\/.*)?\n?/gm, '')
    .trimEnd()
