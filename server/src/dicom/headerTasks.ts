import { insertElements, stringifyDataset, tag } from '@dmp/dicom'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { findCommon, lengthenHeader, shortenHeader } from './commonHeader.ts'
import { readReport, type ReadReport } from './reportLines.ts'
import { findHeldFacts, type HeldFacts } from './burnedIn.ts'
import { pickTags, type JsonDataset } from './jsonModel.ts'
import { pickFirstItems, pickShortElements, unpackHeader, unpackHeaderText } from './packedHeader.ts'
import { swapValue } from './swapValue.ts'
import { listTags, type TagRow } from './tagList.ts'

/** Work of the reading threads on headers that are stored. */

/** One row of a search: `base` and `extras` around what the header adds. */
export interface SearchRow {
  /** DICOM JSON as text: whoever asks need not parse it. */
  readonly base: string
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
function writeMetadata(row: MetadataRow): string {
  const { address, transferSyntaxUID, hasImage } = row
  const header = unpackHeaderText(row.header)
  const isBigEndian = findTransferSyntax(transferSyntaxUID)?.isBigEndian ?? false
  const headerWithUrls = (
    isBigEndian ? stringifyDataset(toLittleEndian(JSON.parse(header) as JsonDataset)) : header
  ).replaceAll('"BulkDataURI":"bulkdata/', `"BulkDataURI":"${address}/bulkdata/`)
  const additions = [`"${tag.AvailableTransferSyntaxUID}":{"vr":"UI","Value":["${transferSyntaxUID}"]}`]
  if (hasImage) {
    const { key, vr } = findPixelElement(header, transferSyntaxUID)
    additions.push(`"${key}":{"vr":"${vr}","BulkDataURI":"${address}/bulkdata/${key}"}`)
  }
  return insertElements(headerWithUrls, additions)
}

/** Pixels of floating point say so by leaving out how many bits are stored (PS3.3 C.7.6.24). */
function findPixelElement(header: string, transferSyntaxUID: string): { key: string; vr: string } {
  if (findTransferSyntax(transferSyntaxUID)?.isEncapsulated) return { key: tag.PixelData, vr: 'OB' }
  const bits = header.includes(`"${tag.BitsStored}"`)
    ? undefined
    : (JSON.parse(header) as JsonDataset)[tag.BitsAllocated]?.Value?.[0]
  if (bits === 32) return { key: tag.FloatPixelData, vr: 'OF' }
  return bits === 64 ? { key: tag.DoubleFloatPixelData, vr: 'OD' } : { key: tag.PixelData, vr: 'OW' }
}

/** Bytes of numbers as the DICOM JSON model wants them (PS3.18 F.2.7); the header keeps them as the object has them. */
export function toLittleEndian(dataset: JsonDataset): JsonDataset {
  return Object.fromEntries(
    Object.entries(dataset).map(([key, element]) => {
      if (element.vr === 'SQ' && element.Value)
        return [key, { ...element, Value: element.Value.map((item) => toLittleEndian(item as JsonDataset)) }]
      if (element.InlineBinary === undefined) return [key, element]
      const bytes = swapValue(element.vr, Buffer.from(element.InlineBinary, 'base64'))
      return [key, { ...element, InlineBinary: bytes.toString('base64') }]
    }),
  )
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
      stringifyDataset({
        ...(JSON.parse(base) as JsonDataset),
        ...(header && pickTags(unpackHeader(header), tags)),
        ...extras,
      }),
    ),

  metadata: async ({ rows, maxBytes }: { rows: readonly MetadataRow[]; maxBytes: number }): Promise<RowsText> =>
    writeRows(rows, maxBytes, writeMetadata),

  /** Which of the pictures are held back in de-identified copies. */
  held: async ({
    rows,
  }: {
    rows: readonly { readonly header: Uint8Array; readonly transferSyntaxUID: string }[]
  }): Promise<(HeldFacts | undefined)[]> =>
    rows.map(({ header, transferSyntaxUID }) => findHeldFacts(unpackHeader(header), transferSyntaxUID)),

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

  /** What headers of a series have in common, and what is left of each; undefined where it stays as it is. */
  shorten: async ({
    headers,
    common,
  }: {
    headers: readonly Uint8Array[]
    /** Where it is known already. */
    common: Uint8Array | undefined
  }): Promise<{ common: Uint8Array | undefined; shortened: (Uint8Array | undefined)[] }> => {
    const ends = headers.length > 1 ? [headers.at(0), headers.at(-1)].flatMap((header) => header ?? []) : []
    const found = common ?? findCommon(ends)
    return { common: found, shortened: headers.map((header) => found && shortenHeader(header, found)) }
  },

  lengthen: async ({ headers }: { headers: readonly Uint8Array[] }): Promise<Uint8Array[]> =>
    headers.map(lengthenHeader),

  /** A report as an outline. */
  report: async ({ header }: { header: Uint8Array }): Promise<ReadReport> => readReport(unpackHeader(header)),
}
