import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFileVariable } from '../../server/src/settings/settings.ts'
import { settingsTable } from '../../server/src/settings/settingsTable.ts'
import { readText, root } from '../workspace/files.ts'

const file = 'docs/operations.md'
const [begin, end] = [
  '<!-- settings: made from server/src/settings/settingsTable.ts by `npm run check -- --fix` -->',
  '<!-- /settings -->',
]

/** The table of settings in docs/operations.md says what the server reads, no more and no less. */
export function checkDocumentedSettings(options: { isFixing?: boolean } = {}): string[] {
  const text = readText(file)
  const expected = insertTable(text)
  if (expected === undefined)
    return [`${file} no longer has the markers around its table of settings: ${begin} … ${end}`]
  if (text === expected) return []
  if (!options.isFixing)
    return [`${file} does not match the settings that the server reads. Run npm run check -- --fix.`]
  writeFileSync(join(root, file), expected)
  return []
}

/** The page with the table as it should be; undefined where its marks are missing. */
export function insertTable(page: string): string | undefined {
  const [head, rest] = page.split(begin)
  const tail = rest?.split(end)[1]
  return tail === undefined ? undefined : `${head}${begin}\n${formatTable()}\n${end}${tail}`
}

function formatTable(): string {
  const rows = Object.values(settingsTable).map((setting) => {
    const { name, about, fallback, neededInProduction, isSecret } = setting as {
      name: string
      about: string
      fallback?: string
      neededInProduction?: true
      isSecret?: true
    }
    // The year is the current one unless it is set: its text would change every January.
    const without =
      name === 'DMP_COMPANY_YEAR'
        ? 'this year'
        : fallback === undefined
          ? ''
          : fallback === ''
            ? 'empty'
            : `\`${fallback}\``
    const file = findFileVariable(setting)
    const secret = file === undefined ? 'secret' : `secret; or \`${file}\``
    const notes = [neededInProduction && 'needed in production', isSecret && secret].filter(Boolean).join(', ')
    return `| \`${name}\` | ${about} | ${without} | ${notes} |`
  })
  return ['| variable | meaning | without it | |', '|---|---|---|---|', ...rows].join('\n')
}
