import type { Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let callers: readonly (SignedIn | undefined)[]
beforeAll(async () => {
  server = await startServer()
  callers = [await server.signIn('super_admin'), await server.signIn('admin'), undefined]
})
afterAll(() => server.close())

/** All that a line may say. What people type has no field. */
const fields = new Set(
  [
    // Of every line.
    'level time pid hostname msg reqId',
    // Of a request.
    'method route status ms ip user',
    // Of a failure: what went wrong, in the server's words.
    'err reason check code',
    // Of a disk that gets full, and of a clock that stepped.
    'place freeMegabytes isFull seconds',
    // How many proxies a request named, and how many are trusted.
    'named trusted',
    // Ids of what it is about.
    'mail transferId position sessionId requestId organizationId',
    // The report of an error in a page, which the page has scrubbed.
    'applicationName applicationComponent version stackTrace',
  ].flatMap((names) => names.split(' ')),
)

const mark = 'marked'
const entriesOf = (schema: unknown): string[] => {
  const { entries, pipe } = (schema ?? {}) as { entries?: object; pipe?: readonly unknown[] }
  return entries ? Object.keys(entries) : pipe?.[0] ? entriesOf(pipe[0]) : []
}

/** Every field holds a text that the log must not have; ids and choices are tried in their own form as well. */
const inputs = (call: Endpoint): Record<string, unknown>[] => {
  const { params, query, body } = call.definition
  const keys = [...entriesOf(params), ...entriesOf(query), ...entriesOf(body)]
  const all = (value: (key: string) => unknown) => Object.fromEntries(keys.map((key) => [key, value(key)]))
  const uuid = '00000000-0000-4000-8000-00000000abcd'
  const plausible = (key: string) => (/uid$/i.test(key) ? '1.2.3' : /id$/i.test(key) ? uuid : `${mark}-${key}`)
  return [
    all((key) => `${mark}-${key}`),
    all((key) => `${mark}.${key}@north.example`),
    all(plausible),
    ...keys
      .filter((key) => /search|query|email|name/i.test(key))
      .map((key) => ({ [key]: key.toLowerCase().includes('email') ? `${mark}@north.example` : `${mark} ${key}` })),
  ]
}

/** Addresses without a call: pages, DICOMweb, files, and such as do not exist. */
const doors = [
  `/${mark}?${mark}=${mark}`,
  `/login?returnTo=${mark}`,
  `/scan?searchTerm=${mark}`,
  `/reset-password/${mark}/${mark}`,
  `/share/${mark}`,
  `/dicom-web/studies?PatientName=${mark}`,
  `/dicom-web/studies/${mark}/series?PatientID=${mark}`,
  `/dicom-web/studies/1.2.3/series/1.2.3/thumbnail?organizationId=${mark}`,
  `/releases/${mark}/${mark}`,
  `/api/${mark}/${mark}`,
  `/api/Scan/list?query=${mark}&%E0%A4%A=${mark}`,
  `/viewer/${mark}?session=${mark}`,
  `/healthz?${mark}`,
  `/dev/mail?${mark}`,
]

const findBroken = () => ({
  unknownFields: [
    ...new Set(
      server.logs.flatMap((line) => Object.keys(JSON.parse(line) as object).filter((key) => !fields.has(key))),
    ),
  ],
  typed: server.logs.filter((line) => line.toLowerCase().includes(mark)).map((line) => line.slice(0, 400)),
})
const nothing = { unknownFields: [], typed: [] }

it.each(calls.map((call) => [call.name, call] as const))(
  '%s leaves nothing in the log of what was typed, and no field that is not on the list [P23]',
  async (name, call) => {
    server.logs.length = 0
    const isReport = name.startsWith('POST /Email/')
    for (const caller of callers) {
      for (const input of isReport ? [] : inputs(call)) {
        const { method, url, payload } = toRequest(call, input)
        const headers = { ...caller?.headers, 'user-agent': `${mark} agent`, cookie: `${mark}=${mark}` }
        await server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      }
      const { method, url } = toRequest(call, {})
      for (const payload of [`{"${mark}":`, `{"password":"${mark}","password":"${mark}"}`, `["${mark}"]`])
        await server.app.inject({
          method,
          url,
          payload,
          headers: { ...caller?.headers, 'content-type': 'application/json' },
        })
    }
    expect(server.logs.length).toBeGreaterThan(0)
    expect(findBroken()).toEqual(nothing)
  },
)

it('no other door leaves anything there either [P23]', async () => {
  server.logs.length = 0
  for (const url of doors)
    for (const caller of callers)
      for (const method of ['GET', 'POST', 'DELETE'] as const)
        await server.app.inject({
          method,
          url,
          headers: { ...caller?.headers, referer: `https://${mark}.example/`, 'x-forwarded-for': mark },
        })
  expect(server.logs.length).toBeGreaterThan(doors.length)
  expect(findBroken()).toEqual(nothing)
})
