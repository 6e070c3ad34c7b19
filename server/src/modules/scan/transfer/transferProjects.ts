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
export async function lockProject(trx: Transaction<Tables>, id: string): Promise<void> {
  await sql`select from transfer_projects where id = ${id} for update`.execute(trx)
}

interface ProjectCopy {
  /** The transfer that gives the copy up. */
  readonly id: string
  readonly projectId: string
  readonly receiverId: string
  readonly originalUID: string
  readonly seriesUID: string
}

/**
 * Transfers of one project make the same copies. One that another of them has delivered is the receiver's, and one that
 * another works on is that one's to deliver or to take back; false where there is no other.
 */
export async function handOverCopy(trx: Transaction<Tables>, copy: ProjectCopy): Promise<boolean> {
  const isOther = sql`other.project_id = ${copy.projectId} and other.destination_id = ${copy.receiverId}
    and other.id <> ${copy.id} and scan.series_uid = ${copy.originalUID}`
  const workers = await sql`
    update transfer_scans scan set copy_series_uid = ${copy.seriesUID} from transfers other
    where scan.transfer_id = other.id and ${isOther} and (scan.state = 'Running' or (scan.state = 'Held' and exists (
      select 1 from transfer_holds hold where hold.transfer_id = scan.transfer_id
        and hold.position = scan.position and hold.decided_date is not null)))
    returning scan.position`.execute(trx)
  if (workers.rows.length > 0) return true
  // One that was delivered, and deleted by its receiver, is not this one.
  const delivered = await sql`
    select 1 from transfers other join transfer_scans scan on scan.transfer_id = other.id
    join series arrived on arrived.organization_id = other.destination_id and arrived.series_uid = ${copy.seriesUID}
    where ${isOther} and scan.state = 'Done' and arrived.created_date <= coalesce(other.finished_date, now())
    limit 1`.execute(trx)
  return delivered.rows.length > 0
}
