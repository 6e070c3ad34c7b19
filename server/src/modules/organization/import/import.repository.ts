import { limits } from '@dmp/contract'
import type { ImportState, OrganizationImport } from '@dmp/contract/organization'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Source } from '../../../db/client.ts'
import type { ImportResult, OrganizationImportTable } from '../../../db/tables/organization.ts'

export type ImportRow = Selectable<OrganizationImportTable>

const mostListed = 10
export const openStates: readonly ImportState[] = ['Uploading', 'Waiting', 'Running']

export const noResult: ImportResult = {
  from: null,
  objects: 0,
  stored: 0,
  present: 0,
  refused: 0,
  refusals: [],
  records: [],
  files: [],
}

/** `toUrl` says where its bytes are sent, `say` speaks the reader's language. */
export interface Reader {
  toUrl(id: string): string
  say(sentence: string): string
}

const toImport = (row: ImportRow, { toUrl, say }: Reader): OrganizationImport => ({
  id: row.id,
  state: row.state,
  createdBy: row.created_by,
  createdDate: row.created_date.toISOString(),
  bytes: Number(row.archive_bytes),
  bytesArrived: Number(row.bytes_arrived),
  uploadUrl: row.state === 'Uploading' ? toUrl(row.id) : null,
  reason: row.reason,
  endedBy: row.ended_by,
  endedDate: row.ended_date?.toISOString() ?? null,
  ...row.result,
  refusals: row.result.refusals.map((refusal) => ({ ...refusal, sentence: say(refusal.sentence) })),
  records: row.result.records.map((kind) => ({ ...kind, sentences: kind.sentences.map(say) })),
})

export async function listImports(db: Source, organizationId: string, reader: Reader): Promise<OrganizationImport[]> {
  const rows = await db
    .selectFrom('organization_imports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .limit(mostListed)
    .execute()
  return rows.map((row) => toImport(row, reader))
}

export const findImport = (db: Source, id: string): Promise<ImportRow | undefined> =>
  db.selectFrom('organization_imports').selectAll().where('id', '=', id).executeTakeFirst()

/** Of all organizations, the oldest first. */
export const listOpen = (db: Source): Promise<ImportRow[]> =>
  db
    .selectFrom('organization_imports')
    .selectAll()
    .where('state', 'in', openStates)
    .orderBy('created_date')
    .orderBy('id')
    .execute()

const isIdle = sql<boolean>`alive_date < now() - make_interval(days => ${limits.importIdleDays})`

/** Those that nobody has gone on with for some days. */
export const listIdle = (db: Source): Promise<ImportRow[]> =>
  db.selectFrom('organization_imports').selectAll().where('state', 'in', openStates).where(isIdle).execute()

/**
 * False when it is in none of those states any more, or, where it has to be idle, was gone on with: somebody was
 * first.
 */
export async function moveImport(
  db: Source,
  id: string,
  from: readonly ImportState[],
  values: Updateable<OrganizationImportTable>,
  { hasToBeIdle = false } = {},
): Promise<boolean> {
  const row = await db
    .updateTable('organization_imports')
    .set(values)
    .where('id', '=', id)
    .where('state', 'in', from)
    .$if(hasToBeIdle, (query) => query.where(isIdle))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
