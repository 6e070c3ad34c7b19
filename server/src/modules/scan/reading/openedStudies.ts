import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Remembers that the person has opened the study, so that it is no longer new to them. */
export async function markOpened(db: Db, userId: string, organizationId: string, studyUID: string): Promise<void> {
  // From the study's own row: it may have been deleted meanwhile.
  await sql`insert into opened_studies (user_id, organization_id, study_uid)
    select ${userId}, organization_id, study_uid from studies
    where organization_id = ${organizationId} and study_uid = ${studyUID}
    on conflict (user_id, organization_id, study_uid) do update set opened_date = now()`.execute(db)
}
