import type { Sample } from '@dmp/contract/scan'
import type { Source } from '../../../db/client.ts'
import { createUidMapper } from '../../../dicom/uidMap.ts'

/** UIDs of the sample: an archive that all organizations share would take two of the same for one. */
export const createSampleUids = (organizationId: string) => createUidMapper(Buffer.from(`sample ${organizationId}`))

export async function findSample(db: Source, organizationId: string): Promise<Sample | undefined> {
  const toUid = createSampleUids(organizationId)
  const row = await db
    .selectFrom('series')
    .select(['study_uid', 'series_uid'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', toUid('series'))
    .executeTakeFirst()
  return row && { studyUID: row.study_uid, seriesUID: row.series_uid }
}
