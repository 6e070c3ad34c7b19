import { businessUser, complaint, organization, registration, type Endpoint } from '@dmp/contract'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  sys = await server.signIn('sys_admin')
  // Text that searching and sorting get wrong easily.
  for (const [email, first, last] of [
    ['a_b@north.example', 'Änne', 'Öztürk'],
    ['a-b@north.example', 'anna', 'ozturk'],
    ['c@north.example', 'ÄNNE', 'öZTÜRK'],
  ] as const) {
    await server.deps.db
      .insertInto('users')
      .values({
        organization_id: '00000000-0000-4000-8000-000000000002',
        email,
        civility: 'Ms',
        first_name: first,
        last_name: last,
        role: 'staff',
        status_by: 'System',
        password_hash: null,
        temporary_until: null,
        mobile: null,
        landline: null,
        fax: null,
        status_comment: null,
      })
      .execute()
  }
})
afterAll(() => server.close())

type Row = Record<string, string>
interface List {
  readonly call: Endpoint
  /** The shown cells by the name of their sort field. */
  readonly cells: (row: never) => Row
  /** Sorted as they are, not as text. */
  readonly exact?: readonly string[]
}

const lists: readonly List[] = [
  {
    call: complaint.list,
    cells: (row: complaint.ComplaintRow) => ({
      complaintNumber: row.complaintNumber,
      status: row.currentStatus,
      module: row.moduleAlias,
      severity: row.severity,
      type: row.type,
      description: row.description,
      createdDate: row.createdDate,
      organization: row.organization ?? '',
    }),
    exact: ['createdDate'],
  },
  { call: organization.list, cells: (row: organization.Organization) => ({ status: row.status, name: row.name }) },
  {
    call: registration.list,
    cells: ({ contactInfo, ...row }: registration.Registration) => ({
      status: row.status,
      createdDate: row.createdDate,
      firstName: contactInfo.firstName,
      lastName: contactInfo.lastName,
      email: contactInfo.email,
      organizationName: row.organizationName,
    }),
    exact: ['createdDate'],
  },
  {
    call: businessUser.list,
    cells: (
      row: Record<'firstName' | 'lastName' | 'email', string> & {
        status: { status: string }
        organization: { name: string }
        role: { roleDisplayName: string }
      },
    ) => ({
      status: row.status.status,
      organization: row.organization.name,
      firstName: row.firstName,
      lastName: row.lastName,
      userType: row.role.roleDisplayName,
      email: row.email,
    }),
  },
]

const ask = async ({ call, cells }: List, input: Record<string, unknown> = {}) => {
  const { status, data, total } = (await sys.call<Endpoint>(call, input)) as unknown as {
    status: number
    data: readonly { id: string }[]
    total: number | undefined
  }
  if (status !== 200) throw new Error(`${call.name} answered ${status}`)
  return {
    total,
    ids: data.map(({ id }) => id),
    rows: data.map((row) => ({ id: row.id, ...(cells as (row: unknown) => Row)(row) }) as Row),
  }
}

describe.each(lists)('$call.name', (list) => {
  it('answers everything without a total, and a page with one [5.19]', async () => {
    const all = await ask(list)
    expect(all.total).toBeUndefined()
    expect(new Set(all.ids).size).toBe(all.ids.length)
    for (const pageSize of [1, 10, 25, 50, 1000]) {
      const pages: string[] = []
      for (let page = 1; (page - 1) * pageSize < all.ids.length; page += 1) {
        const { ids, total } = await ask(list, { page, pageSize })
        expect(total).toBe(all.ids.length)
        pages.push(...ids)
      }
      expect(pages).toEqual(all.ids)
    }
    expect(await ask(list, { page: 1 })).toMatchObject({ ids: all.ids.slice(0, 10), total: all.ids.length })
    expect(await ask(list, { page: 999_999_999, pageSize: 1000 })).toMatchObject({ ids: [], total: all.ids.length })
  })

  it('sorts by each of its fields without regard to case, both ways, the same at every asking and on every page [5.19, 2.63]', async () => {
    for (const field of list.call.definition.sortable ?? []) {
      const key = (row: Row): string =>
        list.exact?.includes(field) ? (row[field] ?? '') : (row[field] ?? '').toLowerCase()
      const up = await ask(list, { sort: field })
      const keys = up.rows.map(key)
      expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      expect((await ask(list, { sort: field, direction: 'asc' })).ids).toEqual(up.ids)
      const down = (await ask(list, { sort: field, direction: 'desc' })).rows.map(key)
      expect(down).toEqual(keys.toReversed())
      const pages = [
        ...(await ask(list, { sort: field, page: 1, pageSize: 3 })).ids,
        ...(await ask(list, { sort: field, page: 2, pageSize: 3 })).ids,
      ]
      expect(pages).toEqual(up.ids.slice(0, 6))
    }
  })

  it('finds a substring of any shown value without regard to case, and counts what it found [5.19]', async () => {
    const all = await ask(list)
    const terms = new Set(
      all.rows.flatMap(({ id: _id, ...cells }) =>
        Object.entries(cells).map(([field, value]) =>
          field === 'createdDate' ? value.slice(0, 10) : value.slice(1, 7),
        ),
      ),
    )
    for (const term of [...terms].filter((text) => text.length > 1).slice(0, 40)) {
      for (const search of [term, term.toUpperCase(), term.toLowerCase()]) {
        const expected = all.rows.filter(({ id: _id, ...cells }) =>
          Object.entries(cells).some(([field, value]) =>
            (field === 'createdDate' ? value.slice(0, 10) : value).toLowerCase().includes(search.toLowerCase()),
          ),
        )
        const matches = await ask(list, { search })
        expect([search, matches.ids]).toEqual([search, expected.map(({ id }) => id)])
        expect((await ask(list, { search, page: 1, pageSize: 1 })).total).toBe(expected.length)
      }
    }
    expect(await ask(list, { search: '' })).toEqual(all)
  })

  it('takes what is searched as text, whatever it means elsewhere [P16]', async () => {
    const nothing = [
      "' or 1=1 --",
      '%',
      '%%',
      '*',
      '\\',
      "';drop table users;--",
      '$1',
      '${7*7}',
      '{{7*7}}',
      '..\\..\\',
      '\u0001',
      '\u001f',
      '\ud83d\ude00',
      '(',
      '[a-z',
      'a'.repeat(255),
    ]
    for (const search of nothing) {
      const all = (await ask(list)).rows
      const expected = all.filter(({ id: _id, ...cells }) =>
        Object.values(cells).some((value) => value.toLowerCase().includes(search.toLowerCase())),
      )
      expect([search, (await ask(list, { search })).ids.length]).toEqual([search, expected.length])
    }
    for (const search of ['\u0000', 'a\u0000b'])
      expect(await sys.call(list.call, { search })).toMatchObject({ status: 400, code: 'INVALID' })
  })

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page', '9999999999'],
    ['pageSize', '0'],
    ['pageSize', '1001'],
    ['pageSize', '1e3'],
    ['sort', 'password_hash'],
    ['sort', 'id; drop table users'],
    ['direction', 'up'],
    ['search', 'a'.repeat(256)],
    ['filter', 'x'],
  ])('refuses %s=%s [P16]', async (name, value) => {
    const { definition } = list.call
    const raw = await server.app.inject({
      method: definition.method,
      url: `/api${definition.path}?${name}=${encodeURIComponent(value)}`,
      headers: sys.headers,
    })
    expect([raw.statusCode, raw.json<{ code: string }>().code]).toEqual([400, 'INVALID'])
  })
})

it('treats _ and % as themselves [5.19]', async () => {
  const { data } = await sys.call(businessUser.list, { search: 'a_b@' })
  expect(data.map(({ email }) => email)).toEqual(['a_b@north.example'])
})

it('knows that Ä and ä are one letter in two cases [5.19]', async () => {
  expect(
    (await sys.call(businessUser.list, { search: 'ÖZTÜRK' })).data.map(({ firstName }) => firstName).sort(),
  ).toEqual(['ÄNNE', 'Änne'])
})

it('asks the database as often for a long list as for a short one', async () => {
  const executor = server.deps.db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  const counted = async (list: List, pageSize: number) => {
    let queries = 0
    executor.executeQuery = (query) => {
      queries += 1
      return original(query)
    }
    const { ids } = await ask(list, { page: 1, pageSize })
    expect(ids).toHaveLength(pageSize)
    executor.executeQuery = original
    return queries
  }
  // What the server does by itself now and then is counted as well, but not twice.
  const fewest = async (list: List, size: number) => Math.min(await counted(list, size), await counted(list, size))
  for (const list of lists) {
    expect(await fewest(list, 1)).toBeGreaterThan(0)
    expect(await fewest(list, 8)).toBe(await fewest(list, 1))
  }
})

it('counts as an export what is more than a page shows: it is recorded, with how much it was [P24]', async () => {
  const recorded: readonly (readonly [Endpoint, AuditEvent])[] = [
    [complaint.list, 'ComplaintsExported'],
    [registration.list, 'RegistrationsExported'],
    [businessUser.list, 'UsersExported'],
  ]
  for (const [call, event] of recorded) {
    const exports = async () =>
      (
        await server.deps.db
          .selectFrom('audit')
          .select('subject')
          .where('event', '=', event)
          .orderBy('position')
          .execute()
      ).map(({ subject }) => subject)
    const countBefore = (await exports()).length
    for (const page of [{ page: 1 }, { pageSize: 50 }, { page: 2, pageSize: 50 }]) await sys.call(call, page)
    expect([event, (await exports()).length - countBefore]).toEqual([event, 0])
    const large = (await sys.call(call, { page: 1, pageSize: 51 })) as unknown as { data: readonly unknown[] }
    const all = (await sys.call(call, {})) as unknown as { data: readonly unknown[] }
    expect([event, (await exports()).slice(countBefore)]).toEqual([
      event,
      [{ rows: large.data.length }, { rows: all.data.length }],
    ])
  }
})

it('narrows complaints to open ones and registrations to one status, and counts only those', async () => {
  const everything = (await sys.call(complaint.list, {})).data
  const open = everything.filter(({ currentStatus }) => currentStatus !== 'Resolved').map(({ id }) => id)
  expect((await sys.call(complaint.list, { state: 'open' })).data.map(({ id }) => id)).toEqual(open)
  expect(await sys.call(complaint.list, { state: 'open', page: 1, pageSize: 1 })).toMatchObject({
    status: 200,
    total: open.length,
  })
  expect(open.length).toBeLessThan(everything.length)
  expect((await sys.call(complaint.list, { state: 'closed' })).status).toBe(400)
  const registrations = (await sys.call(registration.list, {})).data
  for (const status of registration.registrationStatusNames) {
    const expected = registrations.filter((registered) => registered.status === status).map(({ id }) => id)
    expect((await sys.call(registration.list, { status })).data.map(({ id }) => id)).toEqual(expected)
    expect((await sys.call(registration.list, { status, page: 1, pageSize: 1 })).total).toBe(expected.length)
  }
})
