import { parseArgs } from 'node:util'
import {
  checkCatalogues,
  languages,
  listEnglish,
  listPackageTexts,
  listSpeakers,
  renewCatalogue,
} from '../locales/locales.ts'

/**
 * `npm run locales -- [--english] [--check]`: brings the catalogues (`locales/de.json` of each package) to what the
 * sources say: new texts stand there empty, for a translator; what nothing says any more is taken out. `--english`
 * leaves no text empty: what nobody has translated yet is said in English. `--check` only tells.
 */
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, english: { type: 'boolean', default: false } },
})
if (!values.check)
  for (const folder of listSpeakers())
    for (const language of languages) renewCatalogue(folder, language, { inEnglish: values.english })
const faults = checkCatalogues()
for (const fault of faults) console.log(fault)
const count = listSpeakers().reduce((sum, folder) => sum + listPackageTexts(folder).length, 0)
console.log(
  `${count} texts in ${languages.length + 1} languages; ${faults.length === 0 ? 'all are there' : `${faults.length} faults`}.`,
)
for (const [language, texts] of listEnglish())
  console.log(`${language}.json: ${texts} longer ${texts === 1 ? 'text is' : 'texts are'} still in English.`)
if (values.check && faults.length > 0) process.exitCode = 1
