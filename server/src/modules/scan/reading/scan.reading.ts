import type { Parsed, scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { toScan } from './scan.entities.ts'
import { getScan, getDatastore, listSeries } from '../scan.repository.ts'
import { createAccessAudit } from './accessAudit.ts'

interface Reading {
  readonly list: Handler<typeof scan.list>
  readonly get: Handler<typeof scan.get>
  readonly getStorage: Handler<typeof scan.getStorage>
}

const searchOf = (input: Parsed<typeof scan.list>): string => input.query ?? input.search ?? ''

/** List and detail (7.38, 2.58, 2.59). */
export function readingHandlers(deps: Pick<Dependencies, 'db' | 'write'>): Reading {
  const seen = createAccessAudit(deps)
  return {
    async list(input, context) {
      const store = await getDatastore(deps.db, context.viewer, input.organizationId)
      // The search term may be a patient's name: that a search was made is recorded, not what for (P23).
      await seen(context, {
        event: 'ScansQueried',
        organizationId: store.organizationId,
        subject: { page: input.page ?? null, isSearch: searchOf(input) !== '' },
      })
      if (store.dataStoreID === null) return { rows: [], total: 0 }
      const dataStoreID = store.dataStoreID
      const { rows, total } = await listSeries(deps.db, store, { ...input, search: searchOf(input) })
      return {
        rows: rows.map((row) => ({
          studyUID: row.study_uid,
          seriesUID: row.series_uid,
          dataStoreID,
          imageSetID: row.image_set_id,
          patientName: row.patient_name,
          patientID: row.patient_id,
          seriesDescription: row.description,
          source: row.source,
          acqDate: row.acq_date || null,
          noOfImages: row.images,
          modality: row.modality,
          compatibleSaas: row.compatible_saas,
        })),
        total,
      }
    },

    async get(input, context) {
      const { store, series, header } = await getScan(deps.db, context.viewer, input.organizationId, input.seriesUID)
      await seen(context, {
        event: 'ScanViewed',
        organizationId: store.organizationId,
        subject: { seriesUID: series.series_uid, studyUID: series.study_uid },
      })
      return toScan(header, {
        organizationId: store.organizationId,
        dataStoreID: store.dataStoreID ?? '',
        imageSetID: series.image_set_id,
        images: series.images,
        uploadDate: series.created_date,
      })
    },

    async getStorage({ organizationId }, { viewer }) {
      const store = await getDatastore(deps.db, viewer, organizationId)
      const totals = await deps.db
        .selectFrom('scan_totals')
        .selectAll()
        .where('organization_id', '=', store.organizationId)
        .executeTakeFirst()
      return {
        scans: totals?.series ?? 0,
        images: Number(totals?.instances ?? 0),
        bytes: Number(totals?.byte_size ?? 0),
      }
    },
  }
}
