import type { StatusName } from '@dmp/contract/dicomPartner'
import { sql, type RawBuilder } from 'kysely'
import type { Source } from '../../db/client.ts'

/** Of a row of `selectPartners`. */
export const partnerStatus: RawBuilder<StatusName> = sql<StatusName>`case
  when dicom_partners.disabled_date is not null then 'Disabled'
  when organization.status <> 'Activated' then 'Suspended'
  else 'Active' end`

/** DICOM partners that are not deleted, each with its owner, its organization and its status. */
export const selectPartners = (db: Source) =>
  db
    .selectFrom('dicom_partners')
    .innerJoin('users as owner', 'owner.id', 'dicom_partners.owner_id')
    .innerJoin('organizations as organization', 'organization.id', 'dicom_partners.organization_id')
    .selectAll('dicom_partners')
    .select(partnerStatus.as('status'))
    .select(['organization.name as organization_name', 'organization.ae_title as organization_title'])
    .select(['owner.civility', 'owner.first_name', 'owner.last_name'])
    .where('dicom_partners.deleted_date', 'is', null)

export type PartnerRow = Awaited<ReturnType<ReturnType<typeof selectPartners>['executeTakeFirstOrThrow']>>
