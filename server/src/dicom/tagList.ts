import { formatTag } from '@dmp/dicom'
import { withoutPadding } from '@dmp/dicom/padding'
import { items } from './attributes.ts'
import { findKeyword } from './dictionary.ts'
import type { JsonDataset, JsonElement, JsonName } from './jsonModel.ts'

const maxValueChars = 1024
/** More rows than anybody reads, and than a page can show. */
const maxTags = 10_000
/** Of all rows together, as they are sent. */
const maxChars = 2 * 2 ** 20

export interface TagRow {
  readonly key: string
  readonly value: string
}

function formatValue(element: JsonElement): string {
  if (element.BulkDataURI) return '(binary, kept with the object)'
  if (element.InlineBinary !== undefined) {
    const bytes = Buffer.from(element.InlineBinary, 'base64')
    const text = withoutPadding(bytes.toString('latin1'))
    return /^[\x20-\x7e]{1,512}$/.test(text) ? text : `(binary, ${bytes.length} bytes)`
  }
  const values = (element.Value ?? []).map((value) =>
    value === null ? '' : typeof value === 'object' ? Object.values(value as JsonName).join(' = ') : String(value),
  )
  const text = values.join(' \\ ')
  return text.length > maxValueChars ? `${text.slice(0, maxValueChars)}…` : text
}

function* iterateTags(header: JsonDataset, prefix: string): Generator<TagRow> {
  for (const [tag, element] of Object.entries(header)) {
    const key = `${prefix}${formatTag(tag)} ${findKeyword(tag) ?? 'Private'}`
    if (element.vr !== 'SQ') {
      yield { key, value: formatValue(element) }
      continue
    }
    const children = items(header, tag)
    yield { key, value: `${children.length} item${children.length === 1 ? '' : 's'}` }
    for (const [index, item] of children.entries())
      yield* iterateTags(item, `${prefix}${formatTag(tag)}[${index + 1}] `)
  }
}

/**
 * The tags of a header, items of sequences included: `(0008,1140)[1] (0008,1150) ReferencedSOPClassUID`. Of very many
 * the first ones, and a row that says so.
 */
export function listTags(header: JsonDataset): TagRow[] {
  const rows: TagRow[] = []
  let chars = 0
  for (const row of iterateTags(header, '')) {
    chars += JSON.stringify(row).length
    if (rows.length === maxTags || chars > maxChars)
      return [...rows, { key: 'More tags', value: 'The scan has more tags than can be shown. Download it to see all.' }]
    rows.push(row)
  }
  return rows
}
