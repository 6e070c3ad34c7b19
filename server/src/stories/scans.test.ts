import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { text } from '../dicom/testing/dicomFile.ts'
import { aDocument, aSlice } from '../testing/scanInTests.ts'
import { stowBody } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const { id: organizationId } = northClinic
const uploaders = mkdtempSync(join(tmpdir(), 'uploaders-'))
mkdirSync(join(uploaders, 'linux'))
writeFileSync(join(uploaders, 'linux/dmp-uploader'), 'An uploader.')

const upload = (...objects: readonly Buffer[]) => ({
  method: 'POST' as const,
  url: '/dicom-web/studies',
  ...stowBody(objects),
})
const aMagneticSlice = (uid: string) => aSlice(uid, { [tag.Modality]: text('CS', 'MR') })
story(
  'Scans come in, are found and looked at',
  import.meta.url,
  async ({ does, asks, later, step, people, server }) => {
    const { admin, staff, south } = people
    const first = upload(aSlice('1.95.1.1.1'), aSlice('1.95.1.1.2'), aMagneticSlice('1.95.1.2.1'))
    await asks('A study is uploaded.', staff, first)
    await asks('It is uploaded again.', staff, first)
    const findings = aDocument('1.95.1.3.1', 'Findings', Buffer.from('%PDF-1.4 of an even count.'))
    await asks('Another study of the patient, and a document.', staff, upload(aSlice('1.95.2.1.1'), findings))
    const other = { [tag.PatientName]: text('PN', 'Else^Elmar'), [tag.PatientID]: text('LO', 'E-9') }
    await asks('An object of the study says another patient.', staff, upload(aSlice('1.95.1.9.1', other)))
    await asks('And one of the other study.', admin, upload(aSlice('1.95.2.9.1', other)))
    const sue = { [tag.PatientName]: text('PN', 'Southern^Sue'), [tag.PatientID]: text('LO', 'S-1') }
    await asks('South uploads as well.', south, upload(aSlice('1.96.1.1.1', sue)))
    await later(30)
    const { data: conflicts } = await does(admin, scan.listConflicts, { page: 1, pageSize: 5 })
    await does(admin, scan.settleConflict, { id: conflicts[0]?.id ?? '' })
    await does(admin, scan.listConflicts, { page: 1, pageSize: 5, state: 'open' }, { title: 'Those that are open.' })
    const [study, series, instance] = ['1.95.1', '1.95.1.1', '1.95.1.1.1']
    await does(staff, scan.list, { page: 1, pageSize: 2, search: 'tilda' })
    await does(staff, scan.listStudies, { page: 1, pageSize: 4, search: 'tilda', modality: 'MR' })
    await does(staff, scan.countStudies, { search: 'tilda' })
    await does(staff, scan.getStudyKinds, { organizationId })
    await does(staff, scan.getStorage, { organizationId })
    await does(staff, scan.getArrivals, { organizationId, timeZone: 'Asia/Kolkata' })
    await does(staff, scan.get, { organizationId, seriesUID: series })
    await does(staff, scan.getResult, { organizationId, seriesUID: '1.95.1.3' })
    const view = { name: 'Mine', search: 'tilda', sortColumn: '2', sortDirection: 'desc' }
    const { data: filter } = await does(staff, scan.addFilter, view)
    const shared = { name: 'All', search: 'sue', sortColumn: '', sortDirection: '', place: 'worklist', query: 'x=1' }
    await does(staff, scan.addFilter, { ...shared, isShared: true }, { title: 'A view for everybody.' })
    await does(admin, scan.listFilters, {})
    await does(staff, scan.renameFilter, { id: filter.id, name: 'Ours' })
    await does(staff, scan.removeFilter, { id: filter.id })

    const reads = [
      '/dicom-web/studies?PatientName=Tester*&limit=1',
      `/dicom-web/studies/${study}/series?Modality=CT`,
      `/dicom-web/studies/${study}/series/${series}/instances`,
      `/dicom-web/studies/${study}/series/${series}/instances/${instance}/metadata`,
      `/dicom-web/studies/${study}`,
      `/dicom-web/studies/${study}/series/${series}/instances/${instance}/frames/1`,
      `/dicom-web/studies/${study}/series/${series}/instances/${instance}/bulkdata/7FE00010`,
      `/dicom-web/studies/${study}/series/${series}/rendered`,
      `/dicom-web/studies/${study}/thumbnail`,
    ]
    for (const url of reads) await asks(`DICOMweb: ${url.slice(11)}`, staff, { url })
    await step('South asks for the same, and gets none of it.', async () => {
      for (const url of reads) await server.app.inject({ url, headers: south.headers })
    })
    const { data: link } = await does(staff, scan.download, { organizationId, seriesUID: series })
    await asks('The link is opened.', undefined, { url: new URL(link.downloadUrl).pathname })
    await asks('It opens once.', undefined, { url: new URL(link.downloadUrl).pathname })
    await does(staff, scan.getUploader, { organizationId, platform: 'linux' })
  },
  { DMP_UPLOADERS: uploaders },
)
