import { complaint, organization } from '@dmp/contract'
import { complaintTypes, northClinic } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { chosenPassword as password, firstSignIn } from '../modules/businessUser/businessUserInTests.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { tusHeaders } from '../modules/organization/import/importInTests.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const north = northClinic.id
const email = 'eva@east.example'
const person = { civility: 'Mrs', firstName: 'Eva', lastName: 'Osten', email }

story('Everything of an organization goes into an archive, and into another one', import.meta.url, async (teller) => {
  const { does, asks, later, step, people, enter, server } = teller
  const { root, admin } = people
  const { id } = await step('There is East, with its administrator.', async () => {
    const { data } = await root.call(organization.add, { name: 'East-Hospital', withDatastore: true, ...person })
    await firstSignIn(server, email)
    return data
  })
  const east = await enter('east', email, password)
  const shared = aSlice('1.95.1.1.1')
  await step('East has three series and a complaint; North has one of them.', async () => {
    await stow(server, east, [shared, aSlice('1.95.1.2.1'), aSlice('1.95.2.1.1')])
    await stow(server, admin, [shared])
    const draft = { typeId: complaintTypes[0]?.id ?? '', moduleId: moduleIds.Scan, description: 'The list is empty.' }
    await east.call(complaint.add, draft)
  })
  await later(30)
  await does(east, organization.startExport, { id, password: 'Wrong-password-1' }, { title: 'A wrong password.' })
  await does(east, organization.startExport, { id, password })
  const { data: exports } = await does(east, organization.listExports, { id })
  const exportId = exports[0]?.id ?? ''
  const { data: address } = await does(east, organization.downloadExport, { id, exportId, password })
  const url = new URL(address.downloadUrl).pathname
  const { rawPayload: archive } = await asks('All of it.', undefined, { url })
  await asks('The first bytes of it.', undefined, { url, headers: { range: 'bytes=0-3' } })
  await does(east, organization.endExport, { id, exportId })
  await asks('It is gone.', undefined, { url, headers: { range: 'bytes=0-3' } })

  const begin = { id: north, bytes: archive.length, password: demoPassword }
  const { data: begun } = await does(admin, organization.startImport, begin)
  const to = new URL(begun[0]?.uploadUrl ?? '', 'http://localhost').pathname
  const send = (at: number, payload: Buffer) =>
    ({ method: 'PATCH', url: to, headers: tusHeaders(at), payload }) as const
  await asks('Its first bytes come.', admin, send(0, archive.subarray(0, 1000)))
  await asks('Where it stands.', admin, { method: 'HEAD', url: to, headers: { 'tus-resumable': '1.0.0' } })
  await asks('Its rest.', admin, send(1000, archive.subarray(1000)))
  await does(admin, organization.listImports, { id: north })
  const next = { ...begin, bytes: 77 }
  const { data: other } = await does(admin, organization.startImport, next, { title: 'Another one begins.' })
  await does(admin, organization.endImport, { id: north, importId: other[0]?.id ?? '' })
  await does(east, organization.startExport, { id, password }, { title: 'Another export, which nobody fetches.' })
  await later(10 * 1440)
})
