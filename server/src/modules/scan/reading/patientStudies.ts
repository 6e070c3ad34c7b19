import { sql, type RawBuilder } from 'kysely'

/**
 * The UIDs, as an array, of all studies of the patient of a study: those with the same patient's ID in the same
 * organization, equal to the letter; only itself where it has none. The ID in small letters is what the index has.
 */
export const studiesOfPatientOf = (organizationId: string, studyUID: string): RawBuilder<string[]> =>
  sql<string[]>`array(select ${studyUID}::text union select p.study_uid from study_summaries p
    join study_summaries o on o.organization_id = p.organization_id and o.study_uid = ${studyUID}
      and o.patient_id <> '' and lower(o.patient_id) collate "C" = lower(p.patient_id) collate "C"
      and o.patient_id = p.patient_id
    where p.organization_id = ${organizationId})`
