import { changes, limits } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import * as v from 'valibot'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { toRequest } from '../testing/request.ts'

let server: TestServer
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

const fails = (schema: v.GenericSchema | undefined): boolean => schema !== undefined && !v.safeParse(schema, {}).success
/** Calls that need something in their query or body; they change nothing while it is missing. */
const needing = calls.filter(({ definition: { query, body } }) => fails(query) || fails(body))
const fillers: Readonly<Record<string, string>> = {
  id: '00000000-0000-4000-8000-00000000dead',
  part: 'host',
  releaseId: '0'.repeat(16),
}

it('is most of what a client written from the specification can meet', () => {
  expect(needing.length).toBeGreaterThanOrEqual(30)
})

it.each(needing.map((call) => [call.name, call] as const))(
  '%s names what is missing and says that it is needed, never that it is unknown [7.01, 8.02]',
  async (_name, call) => {
    const { params } = call.definition
    const own = Object.fromEntries(
      Object.keys(params?.entries ?? {}).map((key) => [
        key,
        fillers[key] ?? fillers[key.endsWith('Id') ? 'id' : key] ?? '1.2.3',
      ]),
    )
    const { method, url } = toRequest(call, own)
    const bodies = method === 'GET' ? [undefined] : [{}, undefined]
    for (const payload of bodies) {
      const reply = await server.app.inject({ method, url, headers: root.headers, ...(payload && { payload }) })
      expect(reply.statusCode).toBe(400)
      const { message, fields } = reply.json() as { message: string; fields?: { path: string; message: string }[] }
      expect(message).toBe(`${fields?.[0]?.path}: This is needed.`)
      for (const said of [message, ...(fields ?? []).map((field) => field.message)]) {
        expect(said).not.toMatch(/unknown/i)
        expect(said).not.toBe('')
      }
    }
  },
)

it('names what a program sent or left out, where the sentence does not [8.02]', async () => {
  const ask = async (url: string, language?: string) => {
    const headers = { ...root.headers, ...(language !== undefined && { 'accept-language': language }) }
    return (await server.app.inject({ url, headers })).json<unknown>()
  }
  expect(await ask('/api/Scan/list?bogus=1')).toMatchObject({
    message: 'bogus: Unknown property.',
    fields: [{ path: 'bogus', message: 'Unknown property.' }],
  })
  expect(await ask('/api/Organization/get')).toMatchObject({ message: 'id: This is needed.' })
  expect(await ask('/api/Organization/get', 'de')).toMatchObject({ message: 'id: Das wird gebraucht.' })
  expect(await ask('/api/Scan/list?pageSize=99999')).toMatchObject({ message: 'A page has at most 1000 rows.' })
})

it.each(['-1', '1e9', '99999999999', '1001', '2.5', 'abc', ''])(
  'says how long a program may wait for changes, and not for %p [8.02]',
  async (wait) => {
    const reply = await root.call(changes.list, { wait })
    expect([reply.status, reply.code, reply.fields?.[0]?.path]).toEqual([400, 'INVALID', 'wait'])
    expect(reply.message).toBe(`Wait for 0 to ${limits.changesWaitSeconds} seconds.`)
    const { message } = await root.call(changes.list, { pageSize: wait })
    expect(message).toBe(`A page has 1 to ${limits.maxPageSize} changes.`)
  },
)

describe('a body that is too long', () => {
  const bodied = calls.filter(({ definition: { method, body } }) => method !== 'GET' && body !== undefined)

  it.each(bodied.map((call) => [call.name, call] as const))(
    'is refused by %s with the limit [7.01, 8.02]',
    async (_name, call) => {
      const most = call.definition.bodyLimit ?? (call.definition.needs === 'nothing' ? 16_384 : 102_400)
      const { method, url } = toRequest(call, { ...fillers, organizationId: fillers.id, studyUID: '1.2.3', token: 'x' })
      const payload = JSON.stringify({ a: 'x'.repeat(most) })
      const headers = { ...root.headers, 'content-type': 'application/json' }
      const reply = await server.app.inject({ method, url, headers, payload })
      const { code, message } = reply.json<{ code: string; message: string }>()
      expect([reply.statusCode, code]).toEqual([413, 'TOO_LARGE'])
      expect(message).toMatch(/^This is larger than the server accepts here: at most \d+(?:\.\d)? [kM]B\.$/)
    },
  )
})
