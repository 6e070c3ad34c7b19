import { tag } from '@dmp/dicom'
import { pickTags, type JsonDataset } from './jsonModel.ts'
import { pickFirstItems, pickShortElements, unpackHeader, unpackHeaderText } from './packedHeader.ts'
import { listTags, type TagRow } from './tagList.ts'

/** Work of the reading threads on headers that are stored. */

/** One row of a search: `base` and `extras` around what the header adds. */
export interface SearchRow {
  readonly base: JsonDataset
  readonly header: Uint8Array | undefined
  readonly extras: JsonDataset
}

export interface MetadataRow {
  readonly header: Uint8Array
  /** Address of the instance. */
  readonly address: string
  readonly transferSyntaxUID: string
  readonly hasImage: boolean
}

/**
 * As many rows as fit into one text, separated by commas. When not even the first one does, there are no rows, and
 * `neededBytes` says how long it is: whoever asked reserves that much before its text is made and handed over (P18).
 */
export interface RowsText {
  readonly text: Uint8Array
  readonly rows: number
  readonly neededBytes: number
}

function writeRows<T>(rows: readonly T[], maxBytes: number, write: (row: T) => string): RowsText {
  const texts: string[] = []
  let textBytes = 0
  let neededBytes = 0
  for (const row of rows) {
    const text = write(row)
    neededBytes = Buffer.byteLength(text)
    // One more for the comma.
    textBytes += neededBytes + 1
    if (textBytes - 1 > maxBytes) break
    texts.push(text)
  }
  return { text: new TextEncoder().encode(texts.join(',')), rows: texts.length, neededBytes }
}

/** Stored headers are sent as text; only URLs of bulk data and attributes of retrieval are added. */
function writeMetadata({ header, address, transferSyntaxUID, hasImage }: MetadataRow): string {
  const headerWithUrls = removeEmptyWindow(unpackHeaderText(header)).replaceAll(
    '"BulkDataURI":"bulkdata/',
    `"BulkDataURI":"${address}/bulkdata/`,
  )
  const additions = [`"${tag.AvailableTransferSyntaxUID}":{"vr":"UI","Value":["${transferSyntaxUID}"]}`]
  if (hasImage) additions.push(`"${tag.PixelData}":{"vr":"OW","BulkDataURI":"${address}/bulkdata/${tag.PixelData}"}`)
  return `${headerWithUrls.slice(0, -1)},${additions.join(',')}}`
}

/** A window of width 0 shows black; without one, viewers choose their own. */
function removeEmptyWindow(header: string): string {
  const zeroWidth = `"${tag.WindowWidth}":{"vr":"DS","Value":[0`
  if (!header.includes(`${zeroWidth}]`) && !header.includes(`${zeroWidth},`)) return header
  const parsed = JSON.parse(header) as Record<string, unknown>
  delete parsed[tag.WindowCenter]
  delete parsed[tag.WindowWidth]
  return JSON.stringify(parsed)
}

export const headerTasks = {
  search: async ({
    rows,
    tags,
    maxBytes,
  }: {
    rows: readonly SearchRow[]
    tags: readonly string[]
    maxBytes: number
  }): Promise<RowsText> =>
    writeRows(rows, maxBytes, ({ base, header, extras }) =>
      JSON.stringify({ ...base, ...(header && pickTags(unpackHeader(header), tags)), ...extras }),
    ),

  metadata: async ({ rows, maxBytes }: { rows: readonly MetadataRow[]; maxBytes: number }): Promise<RowsText> =>
    writeRows(rows, maxBytes, writeMetadata),

  /** Single attributes, short enough for any thread. */
  pick: async ({ header, tags }: { header: Uint8Array; tags: readonly string[] }): Promise<JsonDataset> =>
    pickShortElements(unpackHeader(header), tags),

  /** The same with the first item of each sequence, and all tags for people to read. */
  describe: async ({
    header,
    tags,
  }: {
    header: Uint8Array
    tags: readonly string[]
  }): Promise<{ attributes: JsonDataset; tags: TagRow[] }> => {
    const dataset = unpackHeader(header)
    return { attributes: pickFirstItems(dataset, tags), tags: listTags(dataset) }
  },
}
