import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './files.ts'

/**
 * Writes the de-identification profile that the product carries from a published edition of DICOM PS3.15 table E.1-1:
 * `node scripts/deidentificationProfile.ts <table.json>`. The edition is JSON, as projects that read the standard
 * publish it: a list of rows with `name`, `tag` as `(0010,0010)` and `basicProfile` as `X/Z`. A row that an edition
 * lacks stays as it was, because nothing that was once protected may leak with an update; review what `git diff` then
 * shows.
 */
interface PublishedRow {
  readonly name: string
  readonly tag: string
  readonly basicProfile: string
}
type ProfileRow = readonly [tag: string, action: string, keyword: string, name: string]

const target = join(root, 'shared/dicom/src/deidentification/basicProfile.json')

// The dictionary of dcmjs is data without types, and a dependency of the server only.
const { dictionary } = createRequire(join(root, 'server/package.json'))('dcmjs/dictionary') as {
  dictionary: Readonly<Record<string, { readonly name: string }>>
}

// Repeating groups (curves and overlays) are not in the dictionary.
const repeatingGroups: Readonly<Record<string, string>> = {
  '50XXXXXX': 'CurveData',
  '60XX3000': 'OverlayData',
  '60XX4000': 'OverlayComments',
}

const keywords = new Map(
  Object.entries(dictionary).map(([tag, { name }]) => [tag.replace(/[(),]/g, '').toUpperCase(), name]),
)
const findKeyword = (tag: string): string => repeatingGroups[tag] ?? keywords.get(tag)?.replace(/^RETIRED_/, '') ?? ''

const toRow = ({ name, tag, basicProfile }: PublishedRow): ProfileRow => {
  const digits = tag.replace(/[(),]/g, '').toUpperCase()
  return [digits, basicProfile.replaceAll(' ', ''), findKeyword(digits), name]
}

/** Private attributes have no row of their own: their rule stands in `rules.ts`. */
const isPrivateRow = ({ tag }: PublishedRow): boolean => tag.includes('gggg')

function readRows(file: string): readonly ProfileRow[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProfileRow[]
  } catch {
    return []
  }
}

function write(source: string): void {
  const published = (JSON.parse(readFileSync(source, 'utf8')) as PublishedRow[])
    .filter((row) => !isPrivateRow(row))
    .map(toRow)
  const rows = new Map([...readRows(target), ...published].map((row) => [row[0], row]))
  const lines = [...rows.values()]
    .sort(([a], [b]) => a.localeCompare(b))
    .map((row) => `  [${row.map((cell) => JSON.stringify(cell)).join(', ')}]`)
  writeFileSync(target, `[\n${lines.join(',\n')}\n]\n`)
  console.warn(`${rows.size} rows. Run the tests of shared/dicom, and review what git diff shows.`)
}

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Name the JSON file of PS3.15 table E.1-1.')
write(source)
