import { scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { text } from '../dicom/testing/dicomFile.ts'
import { tokenOf } from '../modules/scan/sharing/shareInTests.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'
import { whileWaiting } from '../testing/story/whileWaiting.ts'

const { id: organizationId } = northClinic
const elmar = { [tag.PatientName]: text('PN', 'Else^Elmar'), [tag.PatientID]: text('LO', 'E-9') }
const recipient = 'ada.berg@elsewhere.example'
const mailed = { expireInDay: 3, maxUses: 4, recipient, message: 'Please compare both knees.', hasCode: true }
const password = 'By-telephone-7'
const told = { expireInDays: 5, maxUses: 2, password, allowsDownload: false }

story('Scans are shared by links, opened by strangers, and taken back', import.meta.url, async (teller) => {
  const { does, asks, later, step, people, server } = teller
  const { admin, staff, south } = people
  await step('North has two patients, South one.', async () => {
    await stow(server, staff, [aSlice('1.95.1.1.1'), aSlice('1.95.1.1.2'), aSlice('1.95.2.1.1', elmar)])
    await stow(server, south, [aSlice('1.96.1.1.1')])
  })
  await later(30)
  const seriesUIDs = ['1.95.1.1', '1.95.2.1']
  await does(admin, scan.listShareable, { organizationId, seriesUIDs })
  await does(
    admin,
    scan.share,
    { organizationId, seriesUID: '1.96.1.1', expireInDay: 1 },
    { title: 'A scan of South.' },
  )
  const both = { organizationId, seriesUID: '1.95.1.1', alsoSeriesUIDs: ['1.95.2.1'], ...mailed }
  const { data: first } = await does(staff, scan.share, both)
  const one = { organizationId, seriesUID: '1.95.1.1', ...told }
  const { data: second } = await does(admin, scan.share, one, { title: 'Another one, with a password.' })
  const ofSouth = { organizationId: southClinic.id, seriesUID: '1.96.1.1' }
  await does(south, scan.share, { ...ofSouth, expireInDay: 7 }, { title: 'South shares as well.' })
  const token = tokenOf(first.downloadUrl)
  const other = tokenOf(second.downloadUrl)

  const title = 'Of a link that there is not.'
  await does(undefined, scan.getShared, { token })
  await does(undefined, scan.getShared, { token: 'Nothing' }, { title })
  await does(undefined, scan.sendShareCode, { token })
  const { code } = await server.mailTo(recipient)
  await does(undefined, scan.visitShared, { token, code: 'no' }, { title: 'A wrong code.' })
  const visit = await does(undefined, scan.visitShared, { token, code })
  const [{ name = '', value = '' } = {}] = visit.raw.cookies
  const browser = { headers: { cookie: `${name}=${value}` }, remoteAddress: '10.1.0.1' }
  await does(undefined, scan.getShared, { token }, { ...browser, title: 'In the browser that opened it.' })
  const { data: download } = await does(undefined, scan.openShared, { token }, browser)
  await asks('It is downloaded.', undefined, { url: new URL(download.downloadUrl).pathname })
  const url = `/dicom-web/shared/${visit.data.id}/studies/1.95.1/series/1.95.1.1/instances/1.95.1.1.2/frames/1`
  await asks('A picture is looked at.', undefined, { url, ...browser })
  await asks('By another browser it is not.', undefined, { url })
  await does(undefined, scan.visitShared, { token: other, password: 'Wrong' }, { title: 'A wrong password.' })
  await does(undefined, scan.openShared, { token: other, password }, { title: 'What may not be downloaded.' })
  const open = () => server.call(scan.visitShared, { token: other, password })
  await does(undefined, scan.watchShared, { token: 'Nothing' }, { title })
  await step('A page that waits is told when somebody else opens the link.', () =>
    whileWaiting(server, () => server.call(scan.watchShared, { token: other }), open),
  )
  const { data: links } = await does(admin, scan.listShares, { organizationId, seriesUID: '1.95.1.1' })
  await does(south, scan.listShares, ofSouth, { title: 'Those of South.' })
  const { id = '' } = links.find(({ hasPassword }) => hasPassword) ?? {}
  await step('And when it is revoked.', () =>
    whileWaiting(
      server,
      () => server.call(scan.watchShared, { token: other }),
      () => south.call(scan.revokeShare, { id }).then(() => admin.call(scan.revokeShare, { id })),
    ),
  )
  await does(admin, scan.revokeShare, { id }, { title: 'Once more.' })
  await does(undefined, scan.visitShared, { token: other, password }, { title: 'Nobody opens it any more.' })
  await later(3 * 1440)
  await does(undefined, scan.getShared, { token }, { ...browser, title: 'The first one has ended.' })
  await does(admin, scan.countShares, {})
  await does(south, scan.countShares, {}, { title: 'South has one that is open.' })
})
