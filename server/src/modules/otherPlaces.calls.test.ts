import { isEndpoint, type Endpoint } from '@dmp/contract'
import { modules } from '@dmp/contract/calls'
import type { TestServer } from '../testing/server.ts'
import { toRequest } from '../testing/request.ts'
import { fingerprint, overridingHeaders, startWithCustomers, type Customer } from './otherPlacesInTests.ts'

/**
 * Promise P02, made from the contract: a call names what is one's own where the server judges it, and another
 * customer's id in every other place that some layer might read instead.
 */
let server: TestServer
let south: Customer
let north: Customer
let untouched: Record<string, string>
beforeAll(async () => {
  ;({ server, south, north } = await startWithCustomers())
  untouched = await fingerprint(server, north.organizationId)
})
afterAll(() => server.close())

// They end the session that tries the rest.
const isOver = (name: string): boolean => /logout|changePassword|renewToken/.test(name)
const calls = Object.entries(modules).flatMap(([module, parts]) =>
  Object.values(parts)
    .filter((part): part is Endpoint => isEndpoint(part))
    .filter(({ name }) => !isOver(name))
    .map((call) => ({ name: call.name, call, module })),
)

/** One customer's values for whatever the call names. */
const valuesOf = ({ who, organizationId, series, share }: Customer, module: string): Record<string, string> => ({
  id: module === 'businessUser' ? who.userId : organizationId,
  organizationId,
  seriesUID: series,
  token: share,
})
const keysOf = ({ definition }: Endpoint): string[] =>
  [definition.params, definition.query, definition.body as unknown].flatMap((schema) =>
    Object.keys((schema as { entries?: object } | undefined)?.entries ?? {}),
  )
const ownInput = (call: Endpoint, module: string): Record<string, string> => {
  const keys = new Set(keysOf(call))
  return Object.fromEntries(Object.entries(valuesOf(south, module)).filter(([key]) => keys.has(key)))
}

const admitted: string[] = []

/** Calls that wait for news get some: they are not what is tried here. */
let news: NodeJS.Timeout
beforeAll(() => {
  news = setInterval(() => server.deps.bus.publish({ kind: 'missed' }), 100)
})
afterAll(() => clearInterval(news))

describe.each(calls)('$name', ({ call, module }) => {
  const send = (method: string, url: string, payload?: object, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: method as 'GET',
      url,
      headers: { ...south.who.headers, ...headers },
      ...(payload && { payload }),
    })
  const isClean = (body: string) => expect(body).not.toContain(north.patient)

  it('refuses what another place of address or body names [P02, P03]', async () => {
    const { method, url, payload } = toRequest(call, ownInput(call, module))
    const foreign = valuesOf(north, module)
    const others = { ...foreign, userId: north.who.userId, dataStoreID: north.imageSetID, seriesUid: north.series }
    const parameters = Object.entries(others).map((entry) => new URLSearchParams([entry]).toString())
    const joint = url.includes('?') ? '&' : '?'
    for (const parameter of parameters) {
      const reply = await send(method, `${url}${joint}${parameter}`, payload)
      expect([parameter, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([parameter, true])
      isClean(reply.body)
    }
    if (method === 'GET') return
    for (const [key, value] of Object.entries(others)) {
      if (keysOf(call).includes(key)) continue
      const reply = await send(method, url, { ...payload, [key]: value })
      expect([key, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([key, true])
      isClean(reply.body)
    }
  })

  it('takes no address that leads elsewhere once it is decoded [P02, P16]', async () => {
    const { method, url, payload } = toRequest(call, ownInput(call, module))
    for (const own of Object.values(valuesOf(south, module)).filter((value) => url.includes(value)))
      for (const foreign of Object.values(valuesOf(north, module)))
        for (const detour of [
          `${own}%2F..%2F${foreign}`,
          `${own}%252F..%252F${foreign}`,
          `${own}/../${foreign}`,
          `${own}/${foreign}`,
          `${own};id=${foreign}`,
          `${own}%00${foreign}`,
          `${own}%23${foreign}`,
          `${own},${foreign}`,
        ]) {
          const reply = await send(method, url.replace(own, detour), payload)
          expect([detour, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([detour, true])
          isClean(reply.body)
        }
  })

  it('ignores headers that other programs obey [P02]', async () => {
    const { method, url, payload } = toRequest(call, ownInput(call, module))
    const plain = await send(method, url, payload)
    if (plain.statusCode < 300) admitted.push(call.name)
    const elsewhere = toRequest(call, valuesOf(north, module)).url
    for (const headers of overridingHeaders('DELETE', elsewhere, north.organizationId)) {
      const reply = await send(method, url, payload, headers)
      // What the first one did cannot always be done twice.
      if (method === 'GET') expect([headers, reply.statusCode]).toEqual([headers, plain.statusCode])
      isClean(reply.body)
    }
  })
})

it('tried it on many calls that the asker may make, and touched nothing of the other [P02]', async () => {
  expect(admitted.length).toBeGreaterThanOrEqual(15)
  expect(await fingerprint(server, north.organizationId)).toEqual(untouched)
})
