import { randomBytes, randomUUID } from 'node:crypto'
import { limits, type scan } from '@dmp/contract'
import { sql, type Selectable, type Transaction } from 'kysely'
import { Refusal } from '../../../core/errors.ts'
import type { Handler } from '../../../core/handlers.ts'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { TransferProjectTable } from '../../../db/tables/transfer.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { DataKey, ValuePlace } from '../../../outside/encryption/dataKey.ts'
import { getDatastore } from '../scan.repository.ts'
import type { TransferRow } from './transfer.repository.ts'

type ProjectRow = Selectable<TransferProjectTable>

const toPlace = (organizationId: string, id: string): ValuePlace => ['project', organizationId, id]

/** The names of an organization's projects, for whoever may transfer its scans. */
export const listProjectsHandler =
  ({ db }: Dependencies): Handler<typeof scan.listTransferProjects> =>
  async ({ organizationId }, { viewer }) => {
    const store = await getDatastore(db, viewer, organizationId)
    const rows = await db
      .selectFrom('transfer_projects')
      .select(['id', 'name', 'created_date'])
      .where('organization_id', '=', store.organizationId)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return rows.map((row) => ({ id: row.id, name: row.name, createdDate: row.created_date.toISOString() }))
  }

/**
 * The id of the organization's project of that name, however it is capitalized; a new one where it has none. Its secret
 * is sealed under the organization's key where encryption is on.
 */
export async function openProject(
  trx: Transaction<Tables>,
  organizationId: string,
  name: string,
  dataKey: DataKey | undefined,
): Promise<string> {
  const id = randomUUID()
  const secret = randomBytes(32)
  const sealed = dataKey?.seal(toPlace(organizationId, id), secret) ?? secret
  const { rows } = await sql<{ id: string }>`
    insert into transfer_projects (id, organization_id, name, secret, key_id)
    select ${id}::uuid, ${organizationId}::uuid, ${name}::text, ${sealed}::bytea, ${dataKey?.id ?? null}::uuid
    where (select count(*) from transfer_projects where organization_id = ${organizationId})
      < ${limits.transferProjects}
    on conflict (organization_id, lower(name)) do nothing returning id`.execute(trx)
  if (rows[0]) return rows[0].id
  const project = await trx
    .selectFrom('transfer_projects')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql<string>`lower(name)`, '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  if (project) return project.id
  const sentence = `Your organization has ${limits.transferProjects} projects. Use one of them.`
  throw new Refusal(409, 'TOO_MANY_PROJECTS', sentence, [{ path: 'project', message: sentence }])
}

/** The secret from which a project's UIDs and pseudonyms are made. */
export async function getProjectSecret({ db, encryption }: Pick<Dependencies, 'db' | 'encryption'>, id: string) {
  const row = await db.selectFrom('transfer_projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return encryption.unseal(toPlace(row.organization_id, id), row.secret, row.key_id)
}

/** Seals the secrets of an organization's projects under its present key, when its scans are. */
export async function resealProjects(deps: Pick<Dependencies, 'db' | 'encryption'>, dataKey: DataKey): Promise<void> {
  for (const row of await listOtherwiseSealed(deps.db, dataKey)) {
    const place = toPlace(row.organization_id, row.id)
    const secret = await deps.encryption.unseal(place, row.secret, row.key_id)
    await deps.db
      .updateTable('transfer_projects')
      .set({ secret: dataKey.seal(place, secret), key_id: dataKey.id })
      .where('id', '=', row.id)
      .where('key_id', 'is not distinct from', row.key_id)
      .execute()
  }
}

const listOtherwiseSealed = (db: Db, { id, organizationId }: DataKey): Promise<ProjectRow[]> =>
  db
    .selectFrom('transfer_projects')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('key_id', 'is distinct from', id)
    .execute()

/** Until the transaction ends, no copy of the project is taken back. */
export async function lockProject(
  trx: Transaction<Tables>,
  { project_id: id }: Pick<TransferRow, 'project_id'>,
): Promise<void> {
  await sql`select from transfer_projects where id = ${id} for update`.execute(trx)
}

/**
 * Whether another transfer of the project has delivered this copy of the scan, or works on it. One that delivered it
 * before the receiver deleted it has not.
 */
export async function isCopiedElsewhere(
  trx: Transaction<Tables>,
  { id, project_id: projectId, destination_id: destinationId }: TransferRow,
  seriesUID: string,
  newSeriesUID: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from transfers other
    join transfer_scans scan on scan.transfer_id = other.id and scan.series_uid = ${seriesUID}
    join series copy on copy.organization_id = other.destination_id and copy.series_uid = ${newSeriesUID}
    left join transfer_holds hold on hold.transfer_id = scan.transfer_id and hold.position = scan.position
    where other.project_id = ${projectId} and other.destination_id = ${destinationId} and other.id <> ${id}
      and (scan.state = 'Running' or (scan.state = 'Held' and hold.decided_date is not null)
        or (scan.state = 'Done' and copy.created_date <= coalesce(other.finished_date, now())))
    limit 1`.execute(trx)
  return rows.length > 0
}
