import { parseArgs } from 'node:util'
import { isOdd, listTexts } from '../sentences/listSentences.ts'
import { createQuoteSearch, parseQuotes, reportUnsaidQuotes } from '../sentences/quotedWording.ts'
import { readText } from '../workspace/files.ts'

/**
 * `npm run sentences -- [--odd] [--free] [path…]`: every sentence that people read, with its file and line, and the
 * clause where the specification fixes the wording. `--odd`: only those with unusual turns of phrase; `--free`: only
 * those that may be changed; a path: only the files below it.
 */
const { values, positionals } = parseArgs({
  options: { odd: { type: 'boolean', default: false }, free: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const quotes = parseQuotes(readText('docs/product.md'))
const findClauses = createQuoteSearch(quotes)
const texts = listTexts()
const sentences = texts
  .map((text) => ({ ...text, clauses: findClauses(text.text) }))
  // A fixed wording is listed although it does not read as a sentence; a single word may be a code.
  .filter(({ text, isSentence, clauses }) => isSentence || (clauses.length > 0 && text.includes(' ')))
  .filter((sentence) => !values.odd || isOdd(sentence))
  .filter(({ file }) => positionals.length === 0 || positionals.some((path) => file.startsWith(path)))
  .filter(({ clauses }) => !values.free || clauses.length === 0)

for (const { file, line, text, clauses } of sentences)
  console.log(`${file}:${line}  ${clauses.length > 0 ? `[${clauses.join(', ')}] ` : ''}${text}`)
const fixed = sentences.filter(({ clauses }) => clauses.length > 0).length
console.log(`\n${sentences.length} sentences; the specification fixes the wording of ${fixed}.`)
for (const report of reportUnsaidQuotes(quotes, texts)) console.log(report)
