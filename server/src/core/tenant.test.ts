import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { isVisibleTo, visibleTo, visibleToStaff } from './tenant.ts'

interface Tables {
  readonly complaints: { readonly id: string; readonly organization_id: string }
}

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const complaints = db.selectFrom('complaints').select('id').where('id', '=', 'c1')
const customer = { organizationId: 'a1', isInternal: false }
const staff = { organizationId: 'a0', isInternal: true }

describe('the wall between organizations', () => {
  it('leaves a customer the rows of its own organization, as a parameter of the query [P02]', () => {
    const query = visibleTo(complaints, customer, 'complaints.organization_id').compile()
    expect(query.sql).toBe('select "id" from "complaints" where "id" = $1 and "complaints"."organization_id" = $2')
    expect(query.parameters).toEqual(['c1', 'a1'])
  })

  it("leaves the provider's staff every row [P02]", () => {
    expect(visibleTo(complaints, staff, 'organization_id').compile()).toMatchObject({
      sql: complaints.compile().sql,
      parameters: ['c1'],
    })
  })

  it("leaves rows of no organization to the provider's staff [P02]", () => {
    expect(visibleToStaff(complaints, customer).compile().sql).toBe(
      'select "id" from "complaints" where "id" = $1 and false',
    )
    expect(visibleToStaff(complaints, staff).compile().sql).toBe(complaints.compile().sql)
  })

  it('holds for an organization that is named by its id, in either case of its letters [P02]', () => {
    expect(isVisibleTo(customer, 'A1')).toBe(true)
    expect(isVisibleTo(customer, 'a2')).toBe(false)
    expect(isVisibleTo(staff, 'a2')).toBe(true)
  })
})
