import { scan, type Parsed } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { isExport } from '../../../db/listing.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { detailTags, toScan } from './scanDetail.ts'
import { withHeaderMemory } from '../intake/sealedHeaders.ts'
import { getDatastore, getScan, getSeriesHeader, measureSeriesHeader } from '../scan.repository.ts'
import { createAccessAudit, type RecordAccess } from './accessAudit.ts'
import { markOpened } from './openedStudies.ts'
import { recordExport } from './exportAudit.ts'
import { studiesHandlers } from './studies.handlers.ts'
import { listLicensedSaas, listSeries } from './reading.repository.ts'
import { toImageInstances } from '../imageInstances.ts'
import { toListItem } from './listItem.ts'
import { findResult, getResultHandler } from './scanResult.ts'

interface ReadingHandlers extends ReturnType<typeof studiesHandlers> {
  readonly list: Handler<typeof scan.list>
  readonly get: Handler<typeof scan.get>
  readonly getResult: Handler<typeof scan.getResult>
}

type ReadingDependencies = Pick<Dependencies, 'db' | 'replicas' | 'write' | 'encryption' | 'reader' | 'memory'>

/** List and detail of scans (7.38, 2.58, 2.59). */
export function readingHandlers(deps: ReadingDependencies): ReadingHandlers {
  const recordAccess = createAccessAudit(deps)
  return {
    ...studiesHandlers(deps, recordAccess),
    list: listHandler(deps, recordAccess),
    get: getHandler(deps, recordAccess),
    getResult: getResultHandler(deps, recordAccess),
  }
}

const toSearch = (input: Parsed<typeof scan.list>): string => input.query ?? input.search ?? ''

const listHandler =
  (deps: ReadingDependencies, recordAccess: RecordAccess): Handler<typeof scan.list> =>
  async (input, context) => {
    const reading = await deps.replicas.begin(scan.list, context.viewer)
    const store = await getDatastore(deps.db, context.viewer, input.organizationId)
    const { organizationId, dataStoreID } = store
    // The search term may be a patient's name: the record holds the search, not its term (P23).
    const isSearch = toSearch(input) !== ''
    if (!isExport(input))
      await recordAccess(context, {
        event: 'ScansQueried',
        organizationId,
        subject: { page: input.page ?? null, isSearch },
      })
    if (dataStoreID === null) return { rows: [], total: 0 }
    const { rows, total } = await reading((copy) => listSeries(copy, store, { ...input, search: toSearch(input) }))
    if (isExport(input)) await recordExport(deps, context, organizationId, { rows: rows.length, isSearch })
    return { rows: rows.map((row) => toListItem(row, dataStoreID)), total }
  }

const getHandler =
  (deps: ReadingDependencies, recordAccess: RecordAccess): Handler<typeof scan.get> =>
  async (input, context) => {
    const { db, reader, memory } = deps
    const { store, series } = await getScan(db, context.viewer, input.organizationId, input.seriesUID)
    await recordAccess(context, {
      event: 'ScanViewed',
      organizationId: store.organizationId,
      subject: { seriesUID: series.series_uid, studyUID: series.study_uid },
    })
    await markOpened(deps, context.viewer.userId, store.organizationId, series.study_uid)
    const turn = { customer: store.organizationId, person: context.viewer.userId }
    const bytes = await measureSeriesHeader(db, store.organizationId, series.series_uid)
    const { attributes, tags } = await withHeaderMemory(memory, turn, bytes, async () => {
      const header = await getSeriesHeader(deps, store.organizationId, series.series_uid)
      return reader.runStored('describe', { header, tags: detailTags }, { turn })
    })
    const licensedSaas = await listLicensedSaas(db, store.organizationId)
    const shownScan = toScan(attributes, tags, {
      organizationId: store.organizationId,
      dataStoreID: store.dataStoreID ?? '',
      imageSetID: series.image_set_id,
      images: series.images,
      uploadDate: series.created_date,
    })
    const imageInstances = toImageInstances(series)
    return { ...shownScan, imageInstances, licensedSaas, result: await findResult(db, series) }
  }
