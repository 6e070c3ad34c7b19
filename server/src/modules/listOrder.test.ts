import { webhook, type Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { listTransferScans } from '@dmp/contract/scan'
import { northClinic } from '@dmp/contract/examples'
import type { CompiledQuery } from 'kysely'
import { demoPassword } from './account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let root: SignedIn
let webhookId: string
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  const draft = { name: 'Told', url: 'https://receiver.example/', kinds: ['SeriesQuiet'], password: demoPassword }
  webhookId = (await root.call(webhook.add, draft)).data.id
})
afterAll(() => server.close())

/**
 * What ends an order: a column that no two rows share. A database may return equal rows in any order, and another one
 * at each asking, so a page could repeat what the page before it showed.
 */
const unique =
  /(?:"?\b(?:id|uuid|series_uid|study_uid|sop_instance_uid|position|hash|complaints\.number)"?)(?: (?:asc|desc))?(?: nulls \w+)?$/

/** What a call asks the database. */
async function listStatements(call: Endpoint, input: Record<string, unknown>): Promise<CompiledQuery[]> {
  const executor = server.deps.db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  const statements: CompiledQuery[] = []
  executor.executeQuery = (query) => {
    statements.push(query)
    return original(query)
  }
  const { status } = await root.call(call, input)
  executor.executeQuery = original
  expect([call.name, status]).toEqual([call.name, 200])
  return statements
}

/** The orders of the queries that a call makes, from the last `order by` to its end. */
const listOrders = async (call: Endpoint, input: Record<string, unknown>): Promise<string[]> =>
  (await listStatements(call, input))
    .map(({ sql }) => sql)
    .filter((statement) => /^select/i.test(statement) && /\blimit\b|order by/.test(statement))
    .map((statement) => statement.split(/order by/i).at(-1) ?? '')
    .map((order) => order.replace(/\s+(?:limit|offset|for update)\b.*$/is, '').trim())

const inputOf = ({ definition }: Endpoint) => {
  const isNamed = (field: string) => [definition.query, definition.params].some((schema) => schema?.entries[field])
  return {
    ...(isNamed('organizationId') && { organizationId: northClinic.id }),
    ...(isNamed('webhookId') && { webhookId }),
    ...(isNamed('part') && { part: 'remote-scan' }),
    ...(isNamed('id') && { id: northClinic.id }),
  }
}
const sortable = calls.filter(({ definition }) => definition.sortable)
/** Lists that are always whole; those of one series or one transfer need one, and are in the order of their making. */
const whole = calls.filter(
  ({ name, definition }) =>
    definition.method === 'GET' &&
    !definition.sortable &&
    /\/list/i.test(name) &&
    !definition.query?.entries['seriesUID'] &&
    name !== listTransferScans.name,
)

describe.each(sortable.map((call) => [call.name, call] as const))('%s', (_name, call) => {
  it('is in an order of its own where none is asked for, and tells equal rows apart on every page [5.19]', async () => {
    const page = { ...inputOf(call), page: 1, pageSize: 10 }
    const orders = await listOrders(call, page)
    expect(orders).not.toEqual([])
    for (const sort of call.definition.sortable ?? [])
      orders.push(...(await listOrders(call, { ...page, sort, direction: 'desc' })))
    expect(orders.length).toBeGreaterThan(call.definition.sortable?.length ?? 0)
    expect(orders.filter((order) => !unique.test(order))).toEqual([])
  })
})

it.each(whole.map((call) => [call.name, call] as const))('%s tells equal rows apart', async (_name, call) => {
  expect((await listOrders(call, inputOf(call))).filter((order) => !unique.test(order))).toEqual([])
})

/** Columns that are not named as what is sorted by them. */
const namedOtherwise: Readonly<Record<string, string>> = {
  arrivedPatientName: "conflict.arrived ->> 'patientName'",
  bytes: 'byte_size',
  complaintNumber: 'number',
  dstOrganizationName: 'destination_name',
  lastDeliveredDate: 'delivered_date',
  noOfImages: 'images',
  seriesDescription: 'description',
  uploadDateTime: 'created_date',
  userType: 'role',
}
const toColumn = (field: string): string =>
  namedOtherwise[field] ?? field.replaceAll(/(?<=[a-z])[A-Z]+/g, (letters) => `_${letters}`).toLowerCase()
/** The column, a value of a document, or a table whose name or person is meant. */
const isSortedBy = (field: string, order: string): boolean => {
  const [key = ''] = order.split(/ (?:desc|asc)\b/)
  return new RegExp(`(?<!\\w)(?:${toColumn(field)}|${field}|${field}s(?=\\W+name\\b))(?!\\w)`).test(key)
}

it.each(sortable.map((call) => [call.name, call] as const))(
  '%s is sorted by what is named so, whichever is asked for [5.19]',
  async (_name, call) => {
    const page = { ...inputOf(call), page: 1, pageSize: 10, direction: 'desc' }
    const fields = call.definition.sortable ?? []
    const all = new Map<string, string[]>()
    for (const sort of fields) all.set(sort, await listOrders(call, { ...page, sort }))
    // What stands in every question is no answer to one.
    const isCommon = (order: string) => fields.length > 1 && [...all.values()].every((orders) => orders.includes(order))
    const sorted = [...all].map(([field, orders]) => [field, orders.filter((order) => !isCommon(order))] as const)
    expect(sorted.filter(([field, orders]) => !orders.some((order) => isSortedBy(field, order)))).toEqual([])
  },
)

const zone = 'Asia/Kathmandu'
/** A complaint is overdue on one day everywhere, as it is told by mail. */
const overdue = "due_date < to_char(now() at time zone 'UTC'"
const inDays = { search: '20', receivedFrom: '2026-01-01', receivedTo: '2026-01-02' }

it.each(
  calls.filter(({ definition }) => definition.query?.entries['timeZone']).map((call) => [call.name, call] as const),
)('%s knows no days but those of the zone that is named', async (_name, call) => {
  const more = Object.entries(inDays).filter(([field]) => call.definition.query?.entries[field])
  const statements = await listStatements(call, { ...inputOf(call), ...Object.fromEntries(more), timeZone: zone })
  // What is cleared away meanwhile has days of its own.
  const reads = statements.filter(({ sql }) => /^\s*(?:select|with)\b/i.test(sql))
  const zones = reads.flatMap(({ sql, parameters }) =>
    [...sql.replaceAll(overdue, '').matchAll(/at time zone (?:\$(\d+)|(\S+))/g)].map(([, place, other]) =>
      place === undefined ? other : parameters[Number(place) - 1],
    ),
  )
  expect(zones.filter((named) => named !== zone)).toEqual([])
})
