import { limits, scan } from '@dmp/contract'
import { formatDate, tag } from '@dmp/dicom'
import type { Handler } from '../../../core/handlers.ts'
import type { AuditEntry } from '../../../db/audit.ts'
import { isExport } from '../../../db/listing.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { nativeName } from '../../../dicom/attributes.ts'
import { getDatastore } from '../scan.repository.ts'
import {
  countStudies,
  isFiltered,
  listSeriesOf,
  listStudies,
  getStudyKinds,
  type StudyQuery,
  type StudyRow,
} from './studies.repository.ts'
import { recordExport } from './exportAudit.ts'
import { toListItem } from './listItem.ts'
import { toResult } from './scanResult.ts'
import type { RecordAccess } from './accessAudit.ts'

interface StudiesHandlers {
  readonly listStudies: Handler<typeof scan.listStudies>
  readonly countStudies: Handler<typeof scan.countStudies>
  readonly getStudyKinds: Handler<typeof scan.getStudyKinds>
}

type StudiesDependencies = Pick<Dependencies, 'db' | 'replicas' | 'write'>

/** The worklist: studies with their series. */
export const studiesHandlers = (deps: StudiesDependencies, recordAccess: RecordAccess): StudiesHandlers => ({
  listStudies: listStudiesHandler(deps, recordAccess),
  countStudies: async (input, context) => {
    const { db, replicas } = deps
    const reading = await replicas.begin(scan.countStudies, context.viewer)
    const store = await getDatastore(db, context.viewer, input.organizationId)
    // A number shows nobody, but a search that counts tells whether somebody is there.
    if (isFiltered(input)) await recordAccess(context, toQueried(store.organizationId, null, true))
    return { count: await reading((copy) => countStudies(copy, store, context.viewer.userId, input)) }
  },
  getStudyKinds: async ({ organizationId }, { viewer }) =>
    getStudyKinds(deps.db, await getDatastore(deps.db, viewer, organizationId)),
})

// Neither the search nor the filters: they may name a patient (P23).
const toQueried = (
  organizationId: string,
  page: number | null,
  isSearch: boolean,
  { patientOf, studyUID }: Pick<StudyQuery, 'patientOf' | 'studyUID'> = {},
): AuditEntry => ({
  event: 'ScansQueried',
  organizationId,
  subject: {
    page,
    isSearch,
    ...(patientOf !== undefined && { patientOf }),
    ...(studyUID !== undefined && { studyUID }),
  },
})

/** The studies of one patient fit on a page, and are looked at rather than taken along. */
const isListExport = (input: StudyQuery): boolean =>
  isExport(input, limits.worklistPageSizes) && input.patientOf === undefined && input.studyUID === undefined

const listStudiesHandler =
  ({ db, replicas, write }: StudiesDependencies, recordAccess: RecordAccess): Handler<typeof scan.listStudies> =>
  async (input, context) => {
    const reading = await replicas.begin(scan.listStudies, context.viewer)
    const store = await getDatastore(db, context.viewer, input.organizationId)
    const isExported = isListExport(input)
    if (!isExported)
      await recordAccess(context, toQueried(store.organizationId, input.page ?? null, isFiltered(input), input))
    const { dataStoreID } = store
    if (dataStoreID === null) return { rows: [], total: 0 }
    const { rows, total, series } = await reading(async (copy) => {
      const listing = await listStudies(copy, store, context.viewer.userId, input)
      const studyUIDs = listing.rows.map((row) => row.study_uid)
      return { ...listing, series: await listSeriesOf(copy, store, studyUIDs) }
    })
    if (isExported)
      await recordExport({ write }, context, store.organizationId, { rows: rows.length, isSearch: isFiltered(input) })
    const itemsOf = (studyUID: string) =>
      series
        .filter((row) => row.study_uid === studyUID)
        .map((row) => ({ ...toListItem(row, dataStoreID), result: toResult(row) }))
    return { rows: rows.map((row) => ({ ...toStudy(row), series: itemsOf(row.study_uid) })), total }
  }

const sexes: Readonly<Record<string, string>> = { F: 'Female', M: 'Male', O: 'Other' }

const toNativeName = ({ name }: StudyRow): Pick<scan.Study, 'nativeName'> => {
  const native = name ? nativeName({ [tag.PatientName]: name }, tag.PatientName) : undefined
  return native === undefined ? {} : { nativeName: native }
}

const toStudy = (row: StudyRow): Omit<scan.Study, 'series'> => ({
  studyUID: row.study_uid,
  patientName: row.patient_name,
  ...toNativeName(row),
  patientID: row.patient_id,
  birthDate: formatDate(row.birth_date),
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
  imageInstances: row.image_instances,
  arrivedDate: row.arrived_date.toISOString(),
  isNew: row.is_new,
  isShared: row.is_shared,
  isTransferred: row.is_transferred,
})
