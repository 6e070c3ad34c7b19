import { request as ask } from 'node:http'
import { scan } from '@dmp/contract'
import { stowBody } from '../../testing/stow.ts'
import type { TestServer } from '../../testing/server.ts'
import { fingerprint, overridingHeaders, startWithCustomers, type Customer } from '../otherPlacesInTests.ts'

/** As for the calls of the contract: another customer's id in every place of the doors beside it (P02). */
let server: TestServer
let address: string
let south: Customer
let north: Customer
let before: Record<string, string>
let uploads: { own: string; foreign: string }
beforeAll(async () => {
  ;({ server, south, north } = await startWithCustomers())
  address = await server.listen()
  uploads = { own: await begin(south), foreign: await begin(north) }
  before = await fingerprint(server, north.organizationId)
})
afterAll(() => server.close())

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}
/** With the address as it is written: other clients would tidy it up. */
const send = (
  method: string,
  path: string,
  { who }: Customer,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const outgoing = ask(
      { hostname, port, method, path, agent: false, headers: { ...who.headers, ...headers } },
      (reply) => {
        let text = ''
        reply.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
const tus = { 'tus-resumable': '1.0.0' }
const bytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
const begin = async (customer: Customer): Promise<string> => {
  const reply = await send('POST', '/api/Scan/uploads', customer, { ...tus, 'upload-length': '9000' })
  expect(reply.status).toBe(201)
  return String(reply.headers.location)
}
const idOf = (path: string): string => path.split('/').at(-1) ?? ''
/** Ways to hang one id on an address that names another. */
const detours = (own: string, foreign: string): string[] => [
  `${own}?/${foreign}`,
  `${own}?id=${foreign}`,
  `${own}?organizationId=${north.organizationId}&/${foreign}`,
  `${own}/../${foreign}`,
  `${own}%2F..%2F${foreign}`,
  `${own}%252F${foreign}`,
  `${own}/${foreign}`,
  `${own};${foreign}`,
  `${own}%00${foreign}`,
]
const isClean = ({ body, headers }: Reply) => {
  expect(body + JSON.stringify(headers)).not.toContain(north.patient)
  expect(body + JSON.stringify(headers)).not.toContain(idOf(uploads.foreign))
}

it('an upload is reached by its own address alone [P02]', async () => {
  const { own, foreign } = uploads
  const state = async () => {
    const head = await send('HEAD', foreign, north, tus)
    return [head.status, head.headers['upload-offset'], head.headers['upload-metadata']]
  }
  const stateBefore = await state()
  for (const path of [foreign, ...detours(own, idOf(foreign))])
    for (const [method, more] of [
      ['HEAD', {}],
      ['PATCH', bytes],
      ['DELETE', {}],
    ] as const) {
      const reply = await send(method, path, south, { ...tus, ...more }, method === 'PATCH' ? 'bytes' : '')
      expect([method, path, reply.status >= 400 && reply.status < 500]).toEqual([method, path, true])
      isClean(reply)
    }
  const owner = Buffer.from(north.organizationId).toString('base64')
  for (const headers of [
    ...overridingHeaders('DELETE', foreign, north.organizationId),
    { 'upload-metadata': `organizationId ${owner},userId ${owner}` },
    { 'upload-concat': `final;${own} ${foreign}` },
    { location: foreign, 'upload-id': idOf(foreign) },
  ]) {
    const mine = await begin(south)
    isClean(await send('PATCH', mine, south, { ...tus, ...bytes, ...headers }, 'bytes'))
    isClean(await send('POST', '/api/Scan/uploads', south, { ...tus, 'upload-length': '9', ...headers }))
  }
  expect(await state()).toEqual(stateBefore)
})

it('an upload goes into the organization of its owner, whatever its metadata or address say [P02]', async () => {
  const reply = await send('POST', `/api/Scan/uploads?organizationId=${north.organizationId}`, south, {
    ...tus,
    'upload-length': '9',
  })
  expect(reply.status).toBe(404)
})

it('DICOMweb shows the own study only, wherever another one is named [P02]', async () => {
  const root = '/dicom-web/studies'
  const own = `${root}/${south.study}`
  const others = [
    `organizationId=${north.organizationId}`,
    `organizationId=${south.organizationId}&organizationId=${north.organizationId}`,
    `StudyInstanceUID=${north.study}`,
    `StudyInstanceUID=${south.study}&StudyInstanceUID=${north.study}`,
    `0020000D=${south.study},${north.study}`,
    `PatientID=${north.patient}`,
  ]
  const rooms = ['', '/metadata', '/series', '/instances', '/thumbnail', `/series/${south.series}/metadata`]
  for (const path of [
    ...others.flatMap((query) => [root, ...rooms.map((room) => own + room)].map((room) => `${room}?${query}`)),
    ...detours(own, north.study),
    `${root}/${north.study}/series/${south.series}/metadata`,
    `${own}/series/${north.series}/metadata`,
    `${own}/series/${south.series}/instances/${north.instance}/metadata`,
    `${own}/series/${north.series}/instances/${north.instance}`,
  ])
    for (const headers of [{}, ...overridingHeaders('DELETE', `${root}/${north.study}`, north.organizationId)]) {
      const reply = await send('GET', path, south, headers)
      expect([path, reply.status < 500]).toEqual([path, true])
      isClean(reply)
    }
  expect((await send('GET', `${own}/metadata`, south)).body).toContain(south.patient)
  for (const path of [root, `${root}/${north.study}`]) {
    const { payload, headers } = stowBody([Buffer.alloc(200)])
    const query = `?organizationId=${north.organizationId}`
    expect((await send('POST', path + query, south, headers, payload)).status).toBe(404)
  }
})

it('a launch opens the own scan only, wherever another one is named [P02]', async () => {
  const json = { 'content-type': 'application/json' }
  for (const [path, body] of [
    ['/launch', { imageSetID: north.imageSetID }],
    ['/launch', { imageSetID: [south.imageSetID, north.imageSetID] }],
    [`/launch?imageSetID=${north.imageSetID}`, { imageSetID: south.imageSetID }],
    [`/launch?ImageSetID=${north.imageSetID}`, { imageSetID: south.imageSetID, organizationId: north.organizationId }],
  ] as const)
    for (const headers of [{}, ...overridingHeaders('GET', `/launch?ImageSetID=${north.imageSetID}`, south.study)]) {
      const reply = await send('POST', path, south, { ...json, ...headers }, JSON.stringify(body))
      const cookie = String([reply.headers['set-cookie']].flat()[0] ?? '').split(';')[0] ?? ''
      const read = await send('GET', `/dicom-web/studies/${north.study}/metadata`, south, { cookie })
      expect([path, body, read.status]).toEqual([path, body, 404])
      expect(reply.body).not.toContain(north.study)
    }
})

it('links open what they were made for, and nothing that stands beside them [P02, P25]', async () => {
  const other = idOf(north.download)
  for (const path of detours(south.download, other).slice(1)) {
    const reply = await send('GET', path, south)
    expect(reply.body).not.toContain(north.patient)
  }
  for (const input of [
    { token: south.share, id: north.share },
    { token: [south.share, north.share] },
    { token: south.share, organizationId: north.organizationId, seriesUID: north.series },
  ])
    for (const call of [scan.getShared, scan.openShared])
      expect((await server.call(call, { password: null, ...input })).status).toBe(400)
  expect((await send('HEAD', north.download, north)).status).toBe(200)
})

it('nothing of the other customer changed by any of this [P02]', async () => {
  expect(await fingerprint(server, north.organizationId)).toEqual(before)
})
