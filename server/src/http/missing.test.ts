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
const fillers: Readonly<Record<string, string>> = { id: '00000000-0000-4000-8000-00000000dead' }

it('is most of what a client written from the specification can meet', () => {
  expect(needing.length).toBeGreaterThanOrEqual(30)
})

it.each(needing.map((call) => [call.name, call] as const))(
  '%s says of what is missing that it is needed, never that it is unknown [7.01, 8.02]',
  async (_name, call) => {
    const { params } = call.definition
    const own = Object.fromEntries(
      Object.keys(params?.entries ?? {}).map((key) => [key, fillers[key.endsWith('Id') ? 'id' : key] ?? '1.2.3']),
    )
    const { method, url } = toRequest(call, own)
    const bodies = method === 'GET' ? [undefined] : [{}, undefined]
    for (const payload of bodies) {
      const reply = await server.app.inject({ method, url, headers: root.headers, ...(payload && { payload }) })
      expect(reply.statusCode).toBe(400)
      const { message, fields } = reply.json() as { message: string; fields?: { message: string }[] }
      for (const said of [message, ...(fields ?? []).map((field) => field.message)]) {
        expect(said).not.toMatch(/unknown/i)
        expect(said).not.toBe('')
      }
    }
  },
)
