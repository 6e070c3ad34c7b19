import { parseArgs } from 'node:util'
import { checkCatalogues, languages, listPackageTexts, listSpeakers, renewCatalogue } from '../locales/locales.ts'

/**
 * `npm run locales -- [--check]`: brings the catalogues (`locales/de.json` of each package) to what the sources say:
 * new texts stand there empty, for a translator; what nothing says any more is taken out. `--check` only tells.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
if (!values.check)
  for (const folder of listSpeakers()) for (const language of languages) renewCatalogue(folder, language)
const faults = checkCatalogues()
for (const fault of faults) console.log(fault)
const count = listSpeakers().reduce((sum, folder) => sum + listPackageTexts(folder).length, 0)
console.log(
  `${count} texts in ${languages.length + 1} languages; ${faults.length === 0 ? 'all are there' : `${faults.length} faults`}.`,
)
if (values.check && faults.length > 0) process.exitCode = 1
