import type { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import type { Selectable } from 'kysely'
import { notFound } from '../../../core/errors.ts'
import type { Handler } from '../../../core/handlers.ts'
import type { Db } from '../../../db/client.ts'
import type { SeriesTable } from '../../../db/tables/scan.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { text } from '../../../dicom/attributes.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { withHeaderMemory } from '../intake/sealedHeaders.ts'
import { getScan, getSeriesHeader, measureSeriesHeader } from '../scan.repository.ts'
import type { RecordAccess } from './accessAudit.ts'

/** What programs send back, by SOP class (PS3.4 annex B.5). */
const kinds: readonly (readonly [scan.ScanResultKind, RegExp])[] = [
  ['Report', /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.88\./],
  ['Segmentation', /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.66\.[457]$/],
  ['SecondaryCapture', /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.7(\.|$)/],
  ['Document', /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.104\./],
  ['PresentationState', /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.11\./],
]

interface MadeSeries {
  readonly sop_class_uid: string | null
  readonly made_by: string
  readonly sender: string | null
}

/** Null for images. */
export function toResult({ sop_class_uid, made_by, sender }: MadeSeries): scan.ScanResult | null {
  const [kind] = kinds.find(([, classes]) => classes.test(sop_class_uid ?? '')) ?? []
  return kind === undefined ? null : { kind, madeBy: made_by || null, sender }
}

const findFirst = (db: Db, series: Selectable<SeriesTable>) =>
  db
    .selectFrom('instances')
    .select(['sop_class_uid', 'sop_instance_uid'])
    .where('organization_id', '=', series.organization_id)
    .where('series_uid', '=', series.series_uid)
    .orderBy('instance_number')
    .orderBy('sop_instance_uid')
    .limit(1)
    .executeTakeFirst()

export async function findResult(db: Db, series: Selectable<SeriesTable>): Promise<scan.ScanResult | null> {
  const first = await findFirst(db, series)
  return toResult({ sop_class_uid: first?.sop_class_uid ?? null, made_by: madeBy(series), sender: series.sender })
}

function madeBy({ attributes }: Selectable<SeriesTable>): string {
  const header = attributes as JsonDataset
  return [text(header, tag.Manufacturer), text(header, tag.ManufacturerModelName)].filter(Boolean).join(' ')
}

export const getResultHandler =
  (
    deps: Pick<Dependencies, 'db' | 'encryption' | 'reader' | 'memory'>,
    recordAccess: RecordAccess,
  ): Handler<typeof scan.getResult> =>
  async (input, context) => {
    const { store, series } = await getScan(deps.db, context.viewer, input.organizationId, input.seriesUID)
    const [first, result] = await Promise.all([findFirst(deps.db, series), findResult(deps.db, series)])
    if (!first || !result) throw notFound()
    await recordAccess(context, {
      event: 'ScanViewed',
      organizationId: store.organizationId,
      subject: { seriesUID: series.series_uid, studyUID: series.study_uid },
    })
    const turn = { customer: store.organizationId, person: context.viewer.userId }
    const bytes = await measureSeriesHeader(deps.db, store.organizationId, series.series_uid)
    const report = await withHeaderMemory(deps.memory, turn, bytes, async () => {
      const header = await getSeriesHeader(deps, store.organizationId, series.series_uid)
      return deps.reader.runStored('report', { header }, { turn })
    })
    return { ...result, ...report, sopInstanceUID: first.sop_instance_uid, objects: series.instances }
  }
