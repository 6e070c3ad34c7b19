import { parseSync } from 'oxc-parser'

/** What the parser says of the sources among the files, by path from the folder. */
export const oxcErrors = (files: Readonly<Record<string, string>>): string[] =>
  Object.entries(files)
    .filter(([name]) => /\.(?:tsx?|mjs)$/.test(name))
    .flatMap(([file, text]) => parseSync(file, text).errors.map(({ message }) => `${file}: ${message}`))
