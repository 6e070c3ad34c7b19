import { limits, type Listing, type Parsed, type dicomPartner } from '@dmp/contract'
import type { DicomPartner, ServiceName } from '@dmp/contract/dicomPartner'
import { sql, type Transaction } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Source } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import { fullName } from '../../identity/user.ts'
import { partnerStatus, selectPartners, type PartnerRow } from './partnerStatus.ts'

type Trx = Transaction<Tables>

export const toPartner = (row: PartnerRow): DicomPartner => ({
  id: row.id,
  name: row.name,
  status: row.status,
  aeTitle: row.ae_title,
  services: row.services,
  organization: row.organization_name,
  owner: fullName(row),
  addresses: row.addresses,
  fingerprint: row.fingerprint,
  host: row.host,
  port: row.port,
  usesTls: row.uses_tls,
  createdDate: row.created_date.toISOString(),
  lastSeenDate: row.last_seen_date?.toISOString() ?? null,
  lastSeenAddress: row.last_seen_address,
})

export async function listPartners(
  db: Source,
  viewer: Viewer,
  input: Parsed<typeof dicomPartner.list>,
): Promise<Listing<DicomPartner>> {
  const { rows, total } = await listed(visibleTo(selectPartners(db), viewer, 'dicom_partners.organization_id'), input, {
    shown: [
      sql.ref<string>('dicom_partners.name'),
      partnerStatus,
      sql.ref<string>('dicom_partners.ae_title'),
      sql<string>`array_to_string(dicom_partners.services, ', ')`,
      sql<string>`array_to_string(dicom_partners.addresses, ', ')`,
      sql.ref<string>('organization.name'),
      sql.ref<string>('dicom_partners.last_seen_address'),
      day(sql.ref('dicom_partners.last_seen_date'), input),
    ],
    sorts: {
      name: text(sql.ref('dicom_partners.name')),
      status: text(partnerStatus),
      aeTitle: text(sql.ref('dicom_partners.ae_title')),
      organization: text(sql.ref('organization.name')),
      lastSeenDate: sql.ref('dicom_partners.last_seen_date'),
      createdDate: sql.ref('dicom_partners.created_date'),
    },
    otherwise: [sql`dicom_partners.created_date desc`, sql`dicom_partners.id`],
  })
  return { rows: rows.map(toPartner), total }
}

/** One that the viewer may see, or 404. */
export async function getRow(db: Source, viewer: Viewer, id: string): Promise<PartnerRow> {
  const row = await visibleTo(selectPartners(db), viewer, 'dicom_partners.organization_id')
    .where('dicom_partners.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockRow(trx: Trx, viewer: Viewer, id: string): Promise<PartnerRow> {
  await getRow(trx, viewer, id)
  await trx.selectFrom('dicom_partners').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return getRow(trx, viewer, id)
}

/** What a person decided, as it is kept. */
export interface Wanted {
  readonly name: string
  readonly ae_title: string
  readonly services: ServiceName[]
  readonly addresses: string[]
  readonly fingerprint: string | null
  readonly host: string | null
  readonly port: number | null
  readonly uses_tls: boolean
}

/** Throws 409 for a name or a title that is taken, and for one too many. Others of the organization wait. */
async function assertRoom(trx: Trx, organizationId: string, { name, ae_title }: Wanted, id?: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const all = await trx
    .selectFrom('dicom_partners')
    .select(['id', 'ae_title', sql<boolean>`lower(name) = lower(${name})`.as('hasName')])
    .where('organization_id', '=', organizationId)
    .where('deleted_date', 'is', null)
    .orderBy('id')
    .limit(limits.dicomPartnersPerOrganization)
    .execute()
  const others = all.filter((other) => other.id !== id)
  if (others.some(({ hasName }) => hasName)) throw taken('name', 'Another partner has this name. Choose another name.')
  if (others.some((other) => other.ae_title === ae_title))
    throw taken(
      'aeTitle',
      'Another partner has this AE title. Change that one, or give this device a title of its own.',
    )
  if (id === undefined && others.length >= limits.dicomPartnersPerOrganization) throw tooMany()
}

const taken = (path: 'name' | 'aeTitle', message: string): Refusal =>
  new Refusal(409, path === 'name' ? 'NAME_TAKEN' : 'AE_TITLE_TAKEN', message, [{ path, message }])

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'TOO_MANY',
    `An organization has at most ${limits.dicomPartnersPerOrganization} DICOM partners. Delete one that is not needed ` +
      'any more.',
  )

/** In the owner's own organization. Who called in vain so far is not a stranger any more. */
export async function addPartner(
  trx: Trx,
  owner: Pick<Viewer, 'userId' | 'organizationId'>,
  wanted: Wanted,
): Promise<PartnerRow> {
  await assertRoom(trx, owner.organizationId, wanted)
  const { id } = await trx
    .insertInto('dicom_partners')
    .values({ organization_id: owner.organizationId, owner_id: owner.userId, ...wanted })
    .returning('id')
    .executeTakeFirstOrThrow()
  await forgetCallers(trx, owner.organizationId, wanted.ae_title)
  return selectPartners(trx).where('dicom_partners.id', '=', id).executeTakeFirstOrThrow()
}

export async function changePartner(trx: Trx, ownerId: string, row: PartnerRow, wanted: Wanted): Promise<PartnerRow> {
  await assertRoom(trx, row.organization_id, wanted, row.id)
  await forgetCallers(trx, row.organization_id, wanted.ae_title)
  return setPartner(trx, row.id, { owner_id: ownerId, ...wanted })
}

async function forgetCallers(trx: Trx, organizationId: string, title: string): Promise<void> {
  await trx
    .deleteFrom('dicom_callers')
    .where('organization_id', '=', organizationId)
    .where('ae_title', '=', title)
    .execute()
}

type Change = Partial<Wanted> & {
  readonly owner_id?: string
  readonly disabled_date?: ReturnType<typeof sql<Date>> | null
}

export async function setPartner(trx: Trx, id: string, change: Change): Promise<PartnerRow> {
  await trx.updateTable('dicom_partners').set(change).where('id', '=', id).execute()
  return selectPartners(trx).where('dicom_partners.id', '=', id).executeTakeFirstOrThrow()
}

export async function deletePartner(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('dicom_partners')
    .set({ deleted_date: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
