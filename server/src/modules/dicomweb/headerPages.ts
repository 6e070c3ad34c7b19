import { sql, type RawBuilder } from 'kysely'
import type { Reservation } from '../../core/byteBudget.ts'
import type { SearchRow } from '../../dicom/headerTasks.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { loadHeaders } from '../scan/intake/sealedHeaders.ts'
import type { Db } from '../../db/client.ts'
import type { Reading } from '../../db/replicas.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Turn } from '../../core/fairTurns.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { writeRowsText } from './rowsText.ts'

/** A row of a search: what its page is read by, and what is known of it already. */
export interface FoundRow {
  /** Of the study or series whose own attributes the row has; null when it has none. */
  readonly uid: string | null
  readonly extras: JsonDataset
  /** The instance whose header adds the included fields; null when nothing is included. */
  readonly instanceUID: string | null
}

/** The rows of a search, in their order, and how the text of their own attributes is read. */
export interface SearchResult {
  readonly rows: readonly FoundRow[]
  /** `uid` and `attributes`, as text, of the studies or series that have one of these UIDs. */
  readonly attributes?: (uids: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Tags to take from the headers. */
  readonly tags: readonly string[]
}

type Searching = Pick<Dependencies, 'encryption' | 'reader'> & { readonly reading: Reading }

const rowsAtATime = { first: 25, most: 100 }

/** Attributes of the rows, as many as fit into memory; at least one, where any of the rows is still there. */
async function loadAttributes(
  db: Db,
  attributesOf: NonNullable<SearchResult['attributes']>,
  found: readonly FoundRow[],
): Promise<ReadonlyMap<string, string>> {
  const uids = found.flatMap(({ uid }) => (uid === null ? [] : [uid]))
  const { rows } = await sql<{ uid: string; attributes: string }>`
    select uid, attributes from (
      select own.uid, own.attributes, requested.position, octet_length(own.attributes) as own_bytes,
        sum(octet_length(own.attributes)) over (order by requested.position) as bytes
      from unnest(${uids}::text[]) with ordinality as requested (uid, position)
      -- The offset keeps the text from being made again for each use of it.
      join (${attributesOf(sql`${uids}::text[]`)} offset 0) own on own.uid = requested.uid
    ) page where bytes - own_bytes < ${readingLimits.rowPageBytes} order by position`.execute(db)
  return new Map(rows.map(({ uid, attributes }) => [uid, attributes]))
}

type PageRow = FoundRow & { readonly base: string }

/** Pages of rows with their attributes: no more is in memory than one page. What was deleted meanwhile is left out. */
async function* readPages(reading: Reading, { rows: found, attributes }: SearchResult): AsyncGenerator<PageRow[]> {
  let rowsAtOnce = rowsAtATime.first
  for (let at = 0; at < found.length;) {
    const candidates = found.slice(at, at + rowsAtOnce)
    const texts = attributes
      ? await reading((db) => loadAttributes(db, attributes, candidates))
      : new Map<string, string>()
    const count = texts.size === 0 ? candidates.length : candidates.findLastIndex(({ uid }) => texts.has(uid ?? '')) + 1
    const page = candidates
      .slice(0, count)
      .map((row) => ({ ...row, base: row.uid === null ? '{}' : texts.get(row.uid) }))
    yield page.filter((row): row is PageRow => row.base !== undefined)
    at += count
    // Rows are mostly alike: what a page could not hold would be measured again and again.
    rowsAtOnce = Math.min(rowsAtATime.most, count < candidates.length ? count : 2 * rowsAtOnce)
  }
}

/** The rows of a search as the text of a JSON array, piece by piece. */
export async function* writeSearchRows(
  deps: Searching,
  organizationId: string,
  turn: Turn,
  result: SearchResult,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  const { tags } = result
  let separator = '['
  for await (const page of readPages(deps.reading, result)) {
    for (let rest = page; rest.length > 0;) {
      const uids = rest.flatMap(({ instanceUID }) => (instanceUID === null ? [] : [instanceUID]))
      const headers =
        uids.length === 0
          ? new Map<string, Uint8Array>()
          : await deps.reading((db) => loadHeaders({ ...deps, db }, organizationId, uids))
      const rows = takeRows(rest, headers)
      const writtenRows = yield* writeRowsText(reservation, separator, (maxBytes) =>
        deps.reader.runStored('search', { rows, tags, maxBytes }, { turn }),
      )
      separator = ','
      rest = rest.slice(writtenRows)
    }
  }
  yield Buffer.from(separator === '[' ? '[]' : ']')
}

/** Rows up to the last one whose header came; a header that is missing between them was deleted meanwhile. */
function takeRows(found: readonly PageRow[], headers: ReadonlyMap<string, Uint8Array>): SearchRow[] {
  const lastWithHeader = found.findLastIndex(({ instanceUID }) => instanceUID !== null && headers.has(instanceUID))
  const isComplete = headers.size === 0
  return found
    .slice(0, isComplete ? found.length : lastWithHeader + 1)
    .map(({ base, extras, instanceUID }) => ({ base, extras, header: headers.get(instanceUID ?? '') }))
}
