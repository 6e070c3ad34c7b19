import { webhook, type Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { listTransferScans } from '@dmp/contract/scan'
import { northClinic } from '@dmp/contract/examples'
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

/** The orders of the queries that a call makes, from the last `order by` to its end. */
async function listOrders(call: Endpoint, input: Record<string, unknown>): Promise<string[]> {
  const executor = server.deps.db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  const statements: string[] = []
  executor.executeQuery = (query) => {
    statements.push(query.sql)
    return original(query)
  }
  const { status } = await root.call(call, input)
  executor.executeQuery = original
  expect([call.name, status]).toEqual([call.name, 200])
  return statements
    .filter((statement) => /^select/i.test(statement) && /\blimit\b|order by/.test(statement))
    .map((statement) => statement.split(/order by/i).at(-1) ?? '')
    .map((order) => order.replace(/\s+(?:limit|offset|for update)\b.*$/is, '').trim())
}

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
