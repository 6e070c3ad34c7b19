import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { headerTables, isShort, replaceHeaders, type HeaderRow } from '../headers/shortHeaders.repository.ts'
import { sealHeader } from '../intake/sealedHeaders.ts'
import type { Report } from './storedBytes.ts'

interface HeaderCheck extends Pick<Dependencies, 'db' | 'objects' | 'encryption' | 'reader'> {
  readonly repairs: boolean
  readonly report: Report
}

interface LackingRow extends HeaderRow {
  readonly organization_id: string
}

/** Headers that lack what their series had in common: each is read again from the bytes of its object. */
export async function checkHeaders(deps: HeaderCheck): Promise<void> {
  const { db, repairs, report } = deps
  for (const table of headerTables)
    for (let after = ''; ;) {
      const rows = await listLacking(db, table, after)
      for (const row of rows) {
        const isRepaired = repairs && (await readAgain(deps, table, row))
        report({ kind: 'without header', what: row.object_key, isRepaired })
      }
      const last = rows.at(-1)
      if (!last) break
      after = last.object_key
    }
}

async function listLacking(db: Db, table: (typeof headerTables)[number], after: string): Promise<LackingRow[]> {
  const { rows } = await sql<LackingRow>`
    select organization_id, sop_instance_uid, instance_number, object_key, header, key_id from ${sql.table(table)} i
    where object_key > ${after} and ${isShort} and not exists (select from series_headers c
      where c.organization_id = i.organization_id and c.series_uid = i.series_uid and octet_length(c.common) > 0)
    order by object_key limit 200`.execute(db)
  return rows
}

/** Not where the object cannot be read either: that is told beside it. */
async function readAgain(
  { db, objects, encryption, reader }: HeaderCheck,
  table: (typeof headerTables)[number],
  row: LackingRow,
): Promise<boolean> {
  const { organization_id: organizationId, sop_instance_uid: sopInstanceUID, key_id } = row
  try {
    const source = await objects.open(row.object_key)
    try {
      const turn = { customer: organizationId, person: 'fsck' }
      const { header } = await reader.runStored('take', { tags: [], isCopy: true }, { turn, source })
      const dataKey = key_id === null ? undefined : await encryption.find(key_id)
      const sealed = sealHeader(header, { organizationId, sopInstanceUID }, dataKey)
      await db.transaction().execute((trx) => replaceHeaders(trx, table, organizationId, [{ row, header: sealed }]))
      return true
    } finally {
      await source.close()
    }
  } catch {
    return false
  }
}
