import { calls } from '@dmp/contract/calls'
import type { InjectOptions } from 'fastify'
import type { Door } from '../testing/doors.ts'
import type { TestServer } from '../testing/server.ts'
import { Stranger } from './scan/sharing/shareInTests.ts'
import { fingerprint, overridingHeaders, startWithCustomers, type Customer } from './otherPlacesInTests.ts'

// About a hundred doors, each asked some thirty times.
jest.setTimeout(300_000)

/**
 * Promise P02, made from what is really routed: each door that is no call of the contract is given what is one's own
 * in its path, and another customer's in every other place.
 */
let server: TestServer
let doors: readonly Door[]
let south: Customer
let north: Customer
let uploads: { own: string; foreign: string }
/** A browser that opened South's link, and the ids of both links that were opened. */
let visitor: Stranger
let shares: { own: string; foreign: string }
let untouched: Record<string, string>
beforeAll(async () => {
  let routed: readonly Door[]
  ;({ server, doors: routed, south, north } = await startWithCustomers())
  const ofContract = new Set(calls.map(({ definition: { method, path } }) => `${method} /api${path}`))
  const getters = new Set(routed.filter(({ method }) => method === 'GET').map(({ url }) => url))
  // A HEAD is the GET of the same address, but for uploads.
  doors = routed.filter(({ name, method, url }) => !ofContract.has(name) && !(method === 'HEAD' && getters.has(url)))
  uploads = { own: await begin(south), foreign: await begin(north) }
  visitor = new Stranger(server)
  const visit = async (who: Stranger, { share }: Customer): Promise<string> => (await who.visit(share)).data.id
  shares = { own: await visit(visitor, south), foreign: await visit(new Stranger(server), north) }
  untouched = await fingerprint(server, north.organizationId)
})
afterAll(() => server.close())

const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
const idOf = (path: string): string => path.split('/').at(-1) ?? ''
async function begin({ who }: Customer): Promise<string> {
  const headers = { ...who.headers, 'tus-resumable': '1.0.0', 'upload-length': '9000' }
  const reply = await server.app.inject({ method: 'POST', url: '/api/Scan/uploads', headers })
  return idOf(String(reply.headers.location))
}

/** A customer's values for whatever a path names; a door that names something else fails until it stands here. */
const valuesOf = (customer: Customer, upload: string, share: string): Readonly<Record<string, string>> => ({
  id: upload,
  organizationId: customer.organizationId,
  study: customer.study,
  studyUID: customer.study,
  series: customer.series,
  seriesUID: customer.series,
  instance: customer.instance,
  token: idOf(customer.download),
  share,
  frames: '1',
  platform: 'linux',
  name: 'host',
  releaseId: 'none',
  part: 'host',
  host: 'none',
  '*': '00100010',
})
const parameter = /:(\w+)|\*/g
const namesIn = ({ url }: Door): string[] => [...url.matchAll(parameter)].map(([found, name = found]) => name)
const toPath = ({ url }: Door, values: Readonly<Record<string, string>>): string =>
  url.replace(parameter, (found, name = found) => values[name] ?? '')

/** The own path; the path with one of its values exchanged; and the own path with the other's beside it. */
function* listRequests(door: Door): Generator<InjectOptions> {
  const own = valuesOf(south, uploads.own, shares.own)
  const foreign = valuesOf(north, uploads.foreign, shares.foreign)
  const method = door.method as 'POST'
  const url = toPath(door, own)
  const isUpload = url.startsWith('/api/Scan/uploads')
  yield { method, url }
  for (const name of namesIn(door))
    // Whoever has the token of a download may open what it was made for.
    if (name !== 'token' && foreign[name] !== own[name])
      yield { method, url: toPath(door, { ...own, [name]: foreign[name] ?? '' }), ...(isUpload && { headers: tus }) }
  const named = {
    ...foreign,
    userId: north.who.userId,
    ImageSetID: north.imageSetID,
    StudyInstanceUID: north.study,
    StudyInstanceUIDs: north.study,
    PatientID: north.patient,
  }
  for (const [name, value] of Object.entries(named)) {
    const query = new URLSearchParams({ [name]: value }).toString()
    yield { method, url: `${url}?${query}`, ...(isUpload && { headers: tus }) }
    if (method === 'POST') yield { method, url, payload: { [name]: value, imageSetID: value, token: value } }
  }
  yield { method, url: `${url}?/${isUpload ? uploads.foreign : north.study}`, ...(isUpload && { headers: tus }) }
  for (const headers of overridingHeaders('DELETE', toPath(door, foreign), north.organizationId))
    yield { method, url, headers: { ...headers, ...(isUpload && tus) } }
}

/** The uploader's programs are everybody's, of 100 MB and more: what they begin with is enough. */
const programs = '/downloads/uploader/:platform'
async function askBriefly(request: InjectOptions) {
  const reply = await server.app.inject({ ...request, payloadAsStream: true })
  let rawPayload = Buffer.alloc(0)
  for await (const piece of reply.stream()) {
    rawPayload = Buffer.from(piece as Buffer)
    break
  }
  return { statusCode: reply.statusCode, headers: reply.headers, rawPayload }
}

it('knows what every path that is routed names [P02]', () => {
  const known = Object.keys(valuesOf(south, uploads.own, shares.own))
  const unknown = doors.flatMap((door) =>
    namesIn(door)
      .filter((name) => !known.includes(name))
      .map(() => door.name),
  )
  expect(unknown).toEqual([])
  expect(doors.length).toBeGreaterThan(80)
})

it('every door beside the contract shows the own things alone, wherever another’s are named [P02, P03]', async () => {
  // Ids of organizations and people are examples in the public documents.
  const theirs = [north.patient, north.imageSetID, uploads.foreign]
  const problems: string[] = []
  const showing = new Set<string>()
  for (const door of doors) {
    const own = door.url.includes('/:share/') ? { cookie: visitor.cookie } : south.who.headers
    let plain: number | undefined
    // One after another: some doors hand out a whole program.
    for (const request of listRequests(door)) {
      const asked = { ...request, headers: { ...own, ...request.headers } }
      const reply = door.url === programs ? await askBriefly(asked) : await server.app.inject(asked)
      plain ??= reply.statusCode
      const said = JSON.stringify(reply.headers)
      const says = (text: string): boolean => reply.rawPayload.includes(text, 0, 'latin1') || said.includes(text)
      const shown = theirs.filter(says)
      // One that is not ready says so to everybody.
      const isBroken = reply.statusCode >= 500 && reply.statusCode !== plain
      if (isBroken || reply.statusCode === 429 || shown.length > 0)
        problems.push(`${reply.statusCode} ${door.method} ${String(request.url)} shows ${shown.join()}`)
      if (says(south.patient)) showing.add(door.name)
    }
  }
  expect(problems).toEqual([])
  expect([...showing].filter((name) => name.includes('/:share/')).length).toBeGreaterThan(5)
  expect(showing.size).toBeGreaterThan(10)
})

it('and nothing of the other changed by any of this [P02]', async () => {
  expect(await fingerprint(server, north.organizationId)).toEqual(untouched)
  const headers = { ...north.who.headers, 'tus-resumable': '1.0.0' }
  const reply = await server.app.inject({ method: 'HEAD', url: `/api/Scan/uploads/${uploads.foreign}`, headers })
  expect([reply.statusCode, reply.headers['upload-offset']]).toEqual([200, '0'])
})
