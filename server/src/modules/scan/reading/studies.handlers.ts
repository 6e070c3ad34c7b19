import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { readableDate } from '../../../dicom/attributes.ts'
import { getDatastore } from '../scan.repository.ts'
import { isFiltered, listSeriesOf, listStudies, listStudyKinds, type StudyRow } from './studies.repository.ts'
import { toListItem } from './listItem.ts'
import type { RecordAccess } from './accessAudit.ts'

interface StudiesHandlers {
  readonly listStudies: Handler<typeof scan.listStudies>
  readonly listStudyKinds: Handler<typeof scan.listStudyKinds>
}

/** The worklist: studies with their series. */
export const studiesHandlers = ({ db }: Pick<Dependencies, 'db'>, recordAccess: RecordAccess): StudiesHandlers => ({
  listStudies: async (input, context) => {
    const { viewer } = context
    const store = await getDatastore(db, viewer, input.organizationId)
    // Neither the search nor the filters: they may name a patient (P23).
    await recordAccess(context, {
      event: 'ScansQueried',
      organizationId: store.organizationId,
      subject: { page: input.page ?? null, isSearch: isFiltered(input) },
    })
    const { dataStoreID } = store
    if (dataStoreID === null) return { rows: [], total: 0 }
    const { rows, total } = await listStudies(db, store, viewer.userId, input)
    const series = await listSeriesOf(
      db,
      store,
      rows.map((row) => row.study_uid),
    )
    const itemsOf = (studyUID: string) =>
      series.filter((row) => row.study_uid === studyUID).map((row) => toListItem(row, dataStoreID))
    return { rows: rows.map((row) => ({ ...toStudy(row), series: itemsOf(row.study_uid) })), total }
  },
  listStudyKinds: async ({ organizationId }, { viewer }) =>
    listStudyKinds(db, await getDatastore(db, viewer, organizationId)),
})

const sexes: Readonly<Record<string, string>> = { F: 'Female', M: 'Male', O: 'Other' }

const toStudy = (row: StudyRow): Omit<scan.Study, 'series'> => ({
  studyUID: row.study_uid,
  patientName: row.patient_name,
  patientID: row.patient_id,
  birthDate: readableDate(row.birth_date),
  sex: sexes[row.sex ?? ''] ?? null,
  studyDate: row.study_date || null,
  description: row.description,
  accessionNumber: row.accession_number,
  modalities: row.modalities,
  bodyParts: row.body_parts,
  sources: row.sources,
  compatibleSaas: row.compatible_saas,
  seriesCount: row.series,
  images: row.images,
  arrivedDate: row.arrived_date.toISOString(),
  isNew: row.is_new,
  isShared: row.is_shared,
  isTransferred: row.is_transferred,
})
