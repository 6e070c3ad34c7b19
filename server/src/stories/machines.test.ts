import { apiToken, dicomPartner, station } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { demoPassword as password } from '../modules/account/demoAccounts.ts'
import { basic } from '../modules/apiToken/apiTokenInTests.ts'
import { clientId, deviceGrant } from '../modules/apiToken/deviceInTests.ts'
import { noteCaller } from '../modules/dicomNode/callers.repository.ts'
import { aDraft } from '../modules/dicomNode/nodeInTests.ts'
import { aReport } from '../modules/ownThingsInTests.ts'
import { story } from '../testing/story/story.ts'

const post = (url: string, parameters: Readonly<Record<string, string>>, authorization?: string) => ({
  method: 'POST' as const,
  url: `/api/oauth/${url}`,
  payload: new URLSearchParams(parameters).toString(),
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    ...(authorization !== undefined && { authorization }),
  },
})
const counts = { waiting: 3, waitingBytes: 4096, sent: 5, refused: 1, failed: 2 }

story(
  'Machines of a clinic: tokens, stations and partners',
  import.meta.url,
  async ({ does, asks, later, step, people, server }) => {
    const { admin, staff } = people
    const organizationId = northClinic.id
    const wanted = { name: 'Gateway', scopes: ['read', 'upload', 'delete'], expireInDays: 30, password }
    const { data: token } = await does(admin, apiToken.add, wanted)
    const second = { ...wanted, name: 'Reader', scopes: ['read'], expireInDays: 7 }
    await does(admin, apiToken.add, second, { title: 'One that may only read.' })
    await does(admin, apiToken.list, { page: 1, pageSize: 5 })
    await does(admin, apiToken.get, { id: token.id })
    const grant = { grant_type: 'client_credentials' }
    await asks('It asks for an access token.', undefined, post('token', grant, basic(token.id, token.token)))

    const ask = (name: string) => post('device', { client_id: clientId, name, scope: 'upload' })
    const begun = await asks('An uploader asks to be let in.', undefined, ask('Station'))
    const codes = begun.json<{ user_code: string; device_code: string }>()
    const poll = post('token', { grant_type: deviceGrant, device_code: codes.device_code, client_id: clientId })
    await asks('It waits.', undefined, poll)
    const code = codes.user_code
    await does(admin, apiToken.getDevice, { code })
    await does(admin, apiToken.approveDevice, { code, name: 'Station', scopes: ['upload'], password })
    const given = await asks('It gets its token.', undefined, poll)
    await asks('And not twice.', undefined, poll)
    const back = { token: given.json<{ access_token: string }>().access_token, client_id: clientId }
    await asks('It gives its token back.', undefined, post('revoke', back))
    const other = await asks('Another one asks.', undefined, ask('Other'))
    await does(admin, apiToken.denyDevice, { code: other.json<{ user_code: string }>().user_code })

    const machineId = '6f9d7a4e-93a4-4bb0-8a32-0d8d3c0b4a11'
    await does(staff, station.tell, { ...aReport, ...counts, machineId })
    const next = { ...aReport, name: 'Laptop', machineId: machineId.replace('6f', '7a'), waiting: 8 }
    await does(staff, station.tell, next, { title: 'Another station.' })
    const { data: stations } = await does(admin, station.list, { page: 1, pageSize: 5 })
    await does(admin, station.remove, { id: stations[0]?.id ?? '' })

    await does(admin, dicomPartner.getNode, {})
    const { data: partner } = await does(admin, dicomPartner.add, aDraft())
    const { id } = partner
    const changed = {
      name: 'CT in room 4',
      aeTitle: 'CT_ROOM4',
      services: ['Store' as const],
      addresses: ['127.0.0.0/24'],
    }
    const neighbour = { name: 'MR in room 5', aeTitle: 'MR_ROOM5' }
    await does(admin, dicomPartner.add, aDraft(neighbour), { title: 'Another partner.' })
    await does(admin, dicomPartner.list, { page: 1, pageSize: 5 })
    await does(admin, dicomPartner.get, { id })
    await does(admin, dicomPartner.update, { id, ...aDraft(changed) })
    await does(admin, dicomPartner.disable, { id })
    await does(admin, dicomPartner.enable, { id })
    await step('Strangers called.', async () => {
      const caller = {
        organizationId,
        aeTitle: 'MR1',
        address: '127.0.0.1',
        reason: 'Unknown' as const,
        fingerprint: null,
      }
      await noteCaller(server.deps.db, caller, 1)
      await noteCaller(server.deps.db, { ...caller, aeTitle: 'MR2', address: '127.0.0.2' }, 2)
    })
    const { data: callers } = await does(admin, dicomPartner.listCallers, {})
    await does(admin, dicomPartner.dismissCaller, { id: callers[0]?.id ?? '' })
    await does(admin, dicomPartner.remove, { id })
    const machine = { authorization: basic('gateway', token.token) }
    await asks('A machine reads.', undefined, { url: '/dicom-web/studies', headers: machine })
    await does(admin, apiToken.end, { id: token.id })
    await asks('It is out at once.', undefined, { url: '/dicom-web/studies', headers: machine })
    await later(1440)
  },
)
