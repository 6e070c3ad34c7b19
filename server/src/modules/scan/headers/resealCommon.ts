import { sql } from 'kysely'
import type { Dependencies } from '../../../dependencies.ts'
import type { DataKey } from '../../../outside/encryption/dataKey.ts'
import { toCommonPlace } from '../intake/sealedHeaders.ts'

const rowsAtOnce = 200

interface Row {
  readonly series_uid: string
  readonly common: Uint8Array
  readonly key_id: string | null
}

/** What the headers of an organization's series have in common, under its current data key. */
export async function resealCommon(
  { db, encryption }: Pick<Dependencies, 'db' | 'encryption'>,
  dataKey: DataKey,
): Promise<void> {
  const { organizationId, id } = dataKey
  for (let last = ''; ;) {
    const { rows } = await sql<Row>`select series_uid, common, key_id from series_headers
      where organization_id = ${organizationId} and series_uid > ${last} and octet_length(common) > 0
        and key_id is distinct from ${id}::uuid
      order by series_uid limit ${rowsAtOnce}`.execute(db)
    for (const row of rows) {
      const place = toCommonPlace(organizationId, row.series_uid)
      const common = dataKey.seal(place, await encryption.unseal(place, row.common, row.key_id))
      await sql`update series_headers set common = ${common}::bytea, key_id = ${id}::uuid
        where organization_id = ${organizationId} and series_uid = ${row.series_uid}
          and key_id is not distinct from ${row.key_id}::uuid`.execute(db)
    }
    const next = rows.at(-1)
    if (!next) return
    last = next.series_uid
  }
}
