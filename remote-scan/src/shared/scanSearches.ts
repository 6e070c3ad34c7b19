import { countOf, imagesText, studiesText } from './counts.ts'
import { organization, scan } from '@dmp/contract'
import { permits } from '@dmp/contract/endpoint'
import type { Study } from '@dmp/contract/scan'
import { unsaidModalities } from '@dmp/dicom/modalities'
import type { FoundItem, Search, SearchRequest } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { groupByPatient } from '../worklist/worklistState.ts'
import { findShown } from './findShown.ts'
import { patientPath } from './patientPath.ts'
import { rememberedOrganization } from './rememberedOrganization.ts'
import { nameStudy, noNameText, toBornText } from './scanSubject.ts'

interface FoundStudies {
  readonly organizationId: string
  /** Named for those who see several organizations. */
  readonly organizationName: string
  readonly studies: readonly Study[]
}

/** Where scans are looked for: one's own organization; the provider's people have chosen one. */
async function findOrganization({ user, ask }: SearchRequest): Promise<{ id: string; name: string } | undefined> {
  if (!permits(user.policy, organization.listActivated.definition.needs)) return { id: user.organizationId, name: '' }
  return findShown(await ask(organization.listActivated, {}), rememberedOrganization.read())
}

/** Both searches ask the same, so the server is asked once. */
async function listStudies(request: SearchRequest): Promise<FoundStudies> {
  const shown = await findOrganization(request)
  if (shown?.name) request.sayPlace?.(shown.name)
  if (shown === undefined) return { organizationId: '', organizationName: '', studies: [] }
  const { rows } = await request.ask(scan.listStudies, {
    organizationId: shown.id,
    search: request.term,
    page: 1,
    pageSize: request.limit,
    sort: 'arrivedDate',
    direction: 'desc',
  })
  return { organizationId: shown.id, organizationName: shown.name, studies: rows }
}

const toDetail = (organizationId: string, { series: [first] }: Study): string =>
  first ? `/scan/detail/${organizationId}/${first.seriesUID}` : '/scan/worklist'

const toNote = (facts: readonly (string | null | undefined)[]): string => facts.filter(Boolean).join(' · ')

const toDay = ({ studyDate, arrivedDate }: Study): string => formatDate(studyDate ?? arrivedDate, 'short')

/** The studies found, one by one. */
export const searchStudies: Search = async (request) => {
  const { organizationId, organizationName, studies } = await listStudies(request)
  return studies.map((study) => ({
    to: toDetail(organizationId, study),
    text: nameStudy(study) || study.modalities.join(' ') || 'Study',
    note: toNote([
      study.patientName || noNameText(),
      study.patientID,
      study.birthDate && toBornText(study.birthDate),
      unsaidModalities(study.modalities, nameStudy(study)),
      study.accessionNumber,
      imagesText(countOf(study)),
      organizationName,
    ]),
    when: toDay(study),
  }))
}

/** The patients of the studies found. */
export const searchPatients: Search = async (request) => {
  const { organizationId, organizationName, studies } = await listStudies(request)
  const words = fold(request.term).split(/\s+/)
  const named = studies.filter(({ patientName, patientID }) =>
    words.some((word) => fold(`${patientName} ${patientID}`).includes(word)),
  )
  return groupByPatient(named).flatMap((found): FoundItem[] => {
    const [newest] = found
    if (!newest) return []
    const { studyUID, patientName, patientID, birthDate } = newest
    const count = studiesText(found.length)
    return [
      {
        to: patientPath(organizationId, studyUID),
        text: patientName || noNameText(),
        note: toNote([patientID, birthDate && toBornText(birthDate), count, organizationName]),
        when: toDay(newest),
      },
    ]
  })
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
