import { createHash } from 'node:crypto'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { HeldFacts } from '../../../dicom/burnedIn.ts'
import { loadHeaders } from '../intake/sealedHeaders.ts'

/** A picture of a series that is not sent before somebody has looked at it. */
export interface HeldPicture extends HeldFacts {
  readonly instanceUID: string
  readonly instanceNumber: number
  /** Of the object's bytes: another object under the same UID is another picture. */
  readonly sha256: string
}

const headersAtATime = 100

/** The pictures of a series that are held back in de-identified copies, in their order. */
export async function listHeldPictures(
  deps: Pick<Dependencies, 'db' | 'encryption' | 'reader'>,
  organizationId: string,
  seriesUID: string,
  turn: Turn,
): Promise<HeldPicture[]> {
  const rows = await deps.db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'instance_number', 'sha256', 'transfer_syntax_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .where('images', '>', 0)
    .orderBy('instance_number')
    .orderBy('sop_instance_uid')
    .execute()
  const held: HeldPicture[] = []
  for (let at = 0; at < rows.length;) {
    const page = rows.slice(at, at + headersAtATime)
    const uids = page.map((row) => row.sop_instance_uid)
    const headers = await loadHeaders(deps, organizationId, uids)
    // Deleted meanwhile, or as many as fit into memory.
    const read = page.slice(0, headers.size === 0 ? page.length : findEnd(uids, headers))
    const known = read.flatMap((row) => {
      const header = headers.get(row.sop_instance_uid)
      return header ? [{ row, header }] : []
    })
    const facts = await deps.reader.runStored(
      'held',
      { rows: known.map(({ row, header }) => ({ header, transferSyntaxUID: row.transfer_syntax_uid })) },
      { turn },
    )
    for (const [index, { row }] of known.entries()) {
      const fact = facts[index]
      if (fact)
        held.push({
          ...fact,
          instanceUID: row.sop_instance_uid,
          instanceNumber: row.instance_number,
          sha256: row.sha256,
        })
    }
    at += read.length
  }
  return held
}

const findEnd = (uids: readonly string[], headers: ReadonlyMap<string, Uint8Array>): number =>
  uids.findLastIndex((uid) => headers.has(uid)) + 1

/** Changes with the pictures: a decision is about those that somebody has seen. */
export function findRevision(pictures: readonly HeldPicture[]): string {
  const hash = createHash('sha256')
  for (const { instanceUID, sha256 } of pictures) hash.update(`${instanceUID} ${sha256}\n`)
  return hash.digest('hex').slice(0, 32)
}

export const countPictures = (count: number): string => `${count} ${count === 1 ? 'picture' : 'pictures'}`
