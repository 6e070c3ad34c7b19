import { sql } from 'kysely'
import { noteWrites } from '../../../db/lastWrites.ts'
import type { Dependencies } from '../../../dependencies.ts'

/** Remembers that the person has opened the study, so that it is no longer new to them. */
export async function markOpened(
  { db, replicas }: Pick<Dependencies, 'db' | 'replicas'>,
  userId: string,
  organizationId: string,
  studyUID: string,
): Promise<void> {
  // From the study's own row: it may have been deleted meanwhile.
  await sql`insert into opened_studies (user_id, organization_id, study_uid)
    select ${userId}, organization_id, study_uid from studies
    where organization_id = ${organizationId} and study_uid = ${studyUID}
    on conflict (user_id, organization_id, study_uid) do update set opened_date = now()`.execute(db)
  // Behind the mark: where the number has come, the mark has.
  if (replicas.areThere) await noteWrites(db, [userId])
}
