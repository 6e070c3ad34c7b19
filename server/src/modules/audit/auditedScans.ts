import { may, permits } from '@dmp/contract'
import type { Activity } from '@dmp/contract/audit'
import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import type { Db } from '../../db/client.ts'

interface AuditedRow {
  readonly id: string
  readonly organization_id: string | null
  readonly subject: Readonly<Record<string, unknown>>
}

interface Found {
  readonly audit_id: string
  readonly organization_id: string
  readonly study_uid: string
  readonly patient_name: string
  readonly description: string
  readonly modalities: string[]
}

/** Of an upload of thousands, the first ones that are still there say enough. */
const maxTried = 20
/** Where studies are asked for, one of them is among the scans of the row. */
const allTried = 100_000

/**
 * Returns the first scan of each row by its name, of these studies where they are given: an upload may be of many
 * patients. Nobody's, for viewers who may not see scans.
 */
export async function nameScans(
  db: Db,
  viewer: Viewer,
  rows: readonly AuditedRow[],
  among?: RawBuilder<string[]>,
): Promise<(row: AuditedRow) => Activity['scan']> {
  if (rows.length === 0 || !permits(viewer.policy, may('Scan', 'Get'))) return () => null
  const ids = rows.map(({ id }) => id)
  const found = await sql<Found>`select distinct on (a.id) a.id as audit_id, m.organization_id, m.study_uid,
      m.patient_name, m.description, m.modalities
    from audit a
    cross join lateral unnest((audit_scans(a.subject))[1:${among ? allTried : maxTried}::int])
      with ordinality named (uid, place)
    left join series s on s.organization_id = a.organization_id and s.series_uid = named.uid
    join study_summaries m on m.organization_id = a.organization_id
      and m.study_uid = coalesce(s.study_uid, named.uid)
    where a.id = any(${ids}::uuid[]) ${among ? sql`and m.study_uid = any(${among})` : sql``}
    order by a.id, named.place`.execute(db)
  const byId = new Map(found.rows.map((row) => [row.audit_id, row]))
  return ({ id }) => {
    const scan = byId.get(id)
    if (!scan) return null
    const { organization_id: organizationId, study_uid: studyUID, patient_name: patientName } = scan
    return { organizationId, studyUID, patientName, description: scan.description, modalities: scan.modalities }
  }
}
