import { permits, scan, type Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { toPolicy } from '@dmp/contract/policy'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { ownInput } from './callInputsInTests.ts'
import { fingerprint, settle, type Customer } from './otherPlacesInTests.ts'
import { addDestination, addThings, type Things } from './ownThingsInTests.ts'
import { startReceiver, type Receiver } from './webhook/webhookInTests.ts'

/**
 * A patient who changes clinics takes a study along, and both clinics have objects of the same UIDs. Neither notices:
 * what South reads is the same before and after North has all of it, and what North does changes nothing of South's.
 */
let server: TestServer
let receiver: Receiver
let root: SignedIn
let south: Customer
let own: Things
let north: Customer
let theirs: Things
beforeAll(async () => {
  receiver = await startReceiver()
  const variables = { DMP_WEBHOOK_HOSTS: '127.0.0.1', DMP_LOG_LEVEL: 'warn', DMP_QUIET_SECONDS: '86400' }
  server = await startServer(variables)
  root = await server.signIn('super_admin')
  await addDestination(root)
  south = await settle(server, 'admin@south.example', '1.2.73', 'Ownname')
  own = await addThings({ server, root, receiver, customer: south })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const policy = toPolicy('admin')
const mayMake = calls.filter(({ definition: { needs } }) => permits(policy, needs))
const reads = mayMake.filter(({ definition: { method } }) => method === 'GET')
const isRemoval = ({ definition: { method } }: Endpoint): boolean => method === 'DELETE'
/** What takes something away comes last: the others are about it. */
const changes = mayMake
  .filter(({ definition: { method, path } }) => method !== 'GET' && path.startsWith('/Scan/'))
  .toSorted((one, other) => Number(isRemoval(one)) - Number(isRemoval(other)))
const images = ({ study, series, instance }: Customer): string[] => {
  const base = `/dicom-web/studies/${study}`
  const one = `${base}/series/${series}/instances/${instance}`
  const searches = [
    '/dicom-web/studies',
    '/dicom-web/series',
    '/dicom-web/instances',
    `${base}/series`,
    `${base}/instances`,
  ]
  return [
    ...searches,
    base,
    `${base}/metadata`,
    `${base}/series/${series}/metadata`,
    one,
    `${one}/frames/1`,
    `${one}/rendered`,
  ]
}

/** What somebody is answered at each address, but for what each answer has of its own. */
async function readAll(customer: Customer, things: Things): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const ofCalls = reads.map((call) => [call.name, toRequest(call, ownInput(call, things)).url] as const)
  for (const [name, url] of [...ofCalls, ...images(customer).map((path) => [path, path] as const)]) {
    const { statusCode, headers, body } = await server.app.inject({ url, headers: customer.who.headers })
    const boundary = /boundary="?([^";]+)/.exec(String(headers['content-type']))?.[1]
    const chance = new RegExp(`${boundary ?? '"requestId":"[^"]*"'}`, 'g')
    answers.set(name, `${statusCode} ${body.replace(chance, '')}`)
  }
  return answers
}

it('what a clinic reads is the same when another one has the same studies [P02]', async () => {
  // Looking at a held picture is seen, and recorded; from then on reading changes nothing.
  await readAll(south, own)
  const before = await readAll(south, own)
  north = await settle(server, 'admin@north.example', south.study, 'Foreignname')
  theirs = await addThings({ server, root, receiver, customer: north })
  const after = await readAll(south, own)
  const differing = [...after].filter(([name, answer]) => answer !== before.get(name)).map(([name]) => name)
  expect(differing).toEqual([])
})

it('what a clinic changes of its own changes nothing of another one that has the same studies [P02]', async () => {
  const untouched = await fingerprint(server, south.organizationId)
  const made: string[] = []
  for (const call of changes) {
    const { method, url, payload } = toRequest(call, ownInput(call, theirs))
    const { headers } = north.who
    const { statusCode } = await server.app.inject({ method, url, headers, ...(payload && { payload }) })
    if (statusCode < 300) made.push(call.name)
    expect([call.name, await fingerprint(server, south.organizationId)]).toEqual([call.name, untouched])
  }
  const expected = [scan.remove, scan.restore, scan.purge, scan.hold, scan.endHold, scan.settleConflict, scan.transfer]
  expect(made).toEqual(expect.arrayContaining(expected.map(({ name }) => name)))
})
