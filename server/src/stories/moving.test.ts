import { scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { text } from '../dicom/testing/dicomFile.ts'
import { aSlice } from '../testing/scanInTests.ts'
import type { TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const organizationId = northClinic.id
const elmar = { [tag.PatientName]: text('PN', 'Else^Elmar'), [tag.PatientID]: text('LO', 'E-9') }
/** By chance, UIDs of copies would be shorter now and then, and the copies as well. */
async function knowSecrets({ deps: { db } }: TestServer): Promise<void> {
  await db
    .updateTable('transfers')
    .set({ secret: Buffer.alloc(32, 7) })
    .where('secret', 'is not', null)
    .execute()
  await db
    .updateTable('transfer_projects')
    .set({ secret: Buffer.alloc(32, 9) })
    .execute()
}

const scansOf = (...seriesUIDs: readonly string[]) =>
  seriesUIDs.map((seriesUID) => ({ studyUID: seriesUID.slice(0, seriesUID.lastIndexOf('.')), seriesUID }))

story(
  'Scans are copied to another organization, as they are and without names',
  import.meta.url,
  async ({ does, later, step, people, server }) => {
    const { admin, south } = people
    await step('North has two patients.', () =>
      stow(server, admin, [aSlice('1.95.1.1.1'), aSlice('1.95.1.2.1'), aSlice('1.95.2.1.1', elmar)]),
    )
    await later(30)
    await does(admin, scan.getTransferRegions, {})
    await does(admin, scan.findDestination, { name: 'Nowhere', organizationId }, { title: 'Nobody of that name.' })
    await does(admin, scan.findDestination, { name: southClinic.name, organizationId })
    const to = { organizationId, dstOrganizationName: southClinic.name }
    const plain = { ...to, anonymize: false, scans: scansOf('1.95.1.1') }
    const { data: first } = await does(admin, scan.transfer, plain)
    await does(admin, scan.listTransfers, {}, { title: 'It waits for a while.' })
    await does(admin, scan.stopTransfer, { id: first.id })
    await does(admin, scan.stopTransfer, { id: first.id }, { title: 'Stop it again.' })
    await does(admin, scan.transfer, plain, { title: 'The same once more.' })
    await knowSecrets(server)
    await later(11)
    const trial = { ...to, anonymize: true, project: 'Knees 2040', scans: scansOf('1.95.1.2', '1.95.2.1') }
    const { data: second } = await does(admin, scan.transfer, trial, { title: 'Two without names.' })
    await knowSecrets(server)
    await later(11)
    await does(admin, scan.listTransfers, {})
    await does(south, scan.listTransfers, {}, { title: 'South has sent nothing.' })
    await does(admin, scan.listTransferScans, { id: second.id })
    await does(admin, scan.listTransferProjects, { organizationId })
    await does(admin, scan.getTransferReport, { id: second.id })
    await does(south, scan.list, { page: 1, pageSize: 2, search: 'tilda' }, { title: 'What South has by name.' })
  },
  { DMP_TRANSFER_DELAY_SECONDS: '600' },
)
