import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { WriteContext, Writer } from '../../../db/write.ts'
import type { FoundConflict } from './foundConflict.ts'

/** Whoever may upload could fill the list: what is beyond is refused and told as well, but not listed. */
export const maxConflictsOfOrganization = 5_000
const maxObjectsOfConflict = 10_000

export interface ConflictOrigin {
  readonly organizationId: string
  readonly source: string
  /** The name of the machine that sent it. */
  readonly sender: string | null
  /** Both sides are stored already. */
  readonly isStored: boolean
  readonly context: WriteContext
}

interface ConflictDependencies {
  readonly db: Db
  readonly write: Writer
}

/** Objects with the same facts on both sides are one conflict, however often and by whom they are sent. */
const toIdentity = ({ kind, studyUID, seriesUID, arrived }: FoundConflict, isStored: boolean): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, isStored, studyUID, seriesUID, arrived]))
    .digest('hex')

/** Lists the conflicts for administrators, each object once. Objects that are listed already change nothing. */
export async function recordConflicts(
  deps: ConflictDependencies,
  origin: ConflictOrigin,
  found: readonly FoundConflict[],
): Promise<void> {
  if (found.length === 0) return
  const groups = Map.groupBy(found, (conflict) => toIdentity(conflict, origin.isStored))
  const listed = await listKnown(deps.db, origin.organizationId, [...groups.keys()])
  const isListed = (identity: string, { sopInstanceUID, sha256 }: FoundConflict): boolean =>
    listed.has(`${identity} ${sopInstanceUID} ${sha256}`)
  // In the same order everywhere, so that two uploads never deadlock.
  const fresh = [...groups]
    .map(([identity, objects]) => ({ identity, objects: objects.filter((object) => !isListed(identity, object)) }))
    .filter(({ objects }) => objects.length > 0)
    .toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  if (fresh.length === 0) return
  await deps.write(origin.context, async ({ trx, audit }) => {
    for (const { identity, objects } of fresh) await addObjects(trx, origin, identity, objects)
    await audit({
      event: 'ScanConflictFound',
      organizationId: origin.organizationId,
      outcome: origin.isStored ? 'success' : 'refused',
      subject: {
        kinds: [...new Set(found.map(({ kind }) => kind))],
        studies: [...new Set(found.map(({ studyUID }) => studyUID))],
        instances: fresh.reduce((sum, { objects }) => sum + objects.length, 0),
      },
    })
  })
}

async function listKnown(db: Db, organizationId: string, identities: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('scan_conflicts')
    .innerJoin('scan_conflict_objects as object', 'object.conflict_id', 'scan_conflicts.id')
    .select(['scan_conflicts.identity', 'object.sop_instance_uid', 'object.sha256'])
    .where('scan_conflicts.organization_id', '=', organizationId)
    .where('scan_conflicts.identity', 'in', [...identities])
    .execute()
  return new Set(rows.map((row) => `${row.identity} ${row.sop_instance_uid} ${row.sha256}`))
}

async function addObjects(
  trx: Transaction<Tables>,
  origin: ConflictOrigin,
  identity: string,
  objects: readonly FoundConflict[],
): Promise<void> {
  const [first] = objects
  if (!first) return
  const { organizationId, source, sender, isStored, context } = origin
  const { rows } = await sql<{ id: string; objects: number }>`
    insert into scan_conflicts
      (organization_id, identity, kind, is_stored, study_uid, series_uid, arrived, source, sender, sent_by)
    select ${organizationId}::uuid, ${identity}, ${first.kind}, ${isStored}::boolean, ${first.studyUID},
      ${first.seriesUID}::text, ${JSON.stringify(first.arrived)}::jsonb, ${source}, ${sender},
      ${context.viewer?.ownerId ?? context.viewer?.userId ?? null}::uuid
    where (select count(*) from scan_conflicts where organization_id = ${organizationId}::uuid)
        < ${maxConflictsOfOrganization}::int
      or exists (select 1 from scan_conflicts
        where organization_id = ${organizationId}::uuid and identity = ${identity})
    on conflict (organization_id, identity) do update
      set last_date = now(), settled_date = null, settled_by = null
    returning id, objects`.execute(trx)
  const [row] = rows
  const room = maxObjectsOfConflict - (row?.objects ?? maxObjectsOfConflict)
  if (!row || room <= 0) return
  await trx
    .insertInto('scan_conflict_objects')
    .values(
      objects
        .slice(0, room)
        .map(({ sopInstanceUID, sha256 }) => ({ conflict_id: row.id, sop_instance_uid: sopInstanceUID, sha256 })),
    )
    .onConflict((on) => on.doNothing())
    .execute()
  await sql`update scan_conflicts set objects =
    (select count(distinct sop_instance_uid) from scan_conflict_objects where conflict_id = ${row.id})
    where id = ${row.id}`.execute(trx)
}
