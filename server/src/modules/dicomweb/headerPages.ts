import type { Reservation } from '../../core/byteBudget.ts'
import type { SearchRow } from '../../dicom/headerTasks.ts'
import { loadHeaders } from '../scan/intake/sealedHeaders.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Turn } from '../../core/fairTurns.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { writeRowsText } from './rowsText.ts'

/** A row of a search, and the instance whose header adds the included fields; none when nothing is included. */
export interface FoundRow {
  readonly base: JsonDataset
  readonly extras: JsonDataset
  readonly instanceUID: string | null
}

const rowsAtATime = 100

/** The rows of a search as the text of a JSON array, piece by piece. */
export async function* writeSearchRows(
  deps: Dependencies,
  organizationId: string,
  turn: Turn,
  found: readonly FoundRow[],
  tags: readonly string[],
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  let separator = '['
  for (let at = 0; at < found.length;) {
    const candidates = found.slice(at, at + rowsAtATime)
    const uids = candidates.flatMap(({ instanceUID }) => (instanceUID === null ? [] : [instanceUID]))
    const headers = uids.length === 0 ? new Map<string, Uint8Array>() : await loadHeaders(deps, organizationId, uids)
    const rows = takeRows(candidates, headers)
    at += yield* writeRowsText(reservation, separator, (maxBytes) =>
      deps.reader.runStored('search', { rows, tags, maxBytes }, { turn }),
    )
    separator = ','
  }
  yield Buffer.from(found.length === 0 ? '[]' : ']')
}

/** Rows up to the last one whose header came; a header that is missing between them was deleted meanwhile. */
function takeRows(found: readonly FoundRow[], headers: ReadonlyMap<string, Uint8Array>): SearchRow[] {
  const lastWithHeader = found.findLastIndex(({ instanceUID }) => instanceUID !== null && headers.has(instanceUID))
  const isComplete = headers.size === 0
  return found
    .slice(0, isComplete ? found.length : lastWithHeader + 1)
    .map(({ base, extras, instanceUID }) => ({ base, extras, header: headers.get(instanceUID ?? '') }))
}
