import { seed, seededName, unseed } from '../../e2e/support/seededWorld.ts'
import { startServer, type TestServer } from '../../server/src/testing/server.ts'
import { complaint } from '../../shared/contract/src/index.ts'
import { demoPassword } from '../../shared/contract/src/demoAccounts.ts'
import { aPage, withPage, type Listening } from './deploymentInTests.ts'

const clientId = 'lakeside-web'
const env = { E2E_SUPER: `super@dmp.example:${demoPassword}`, E2E_ADMIN: `admin@north.example:${demoPassword}` }

let server: TestServer
let product: Listening
let said: string[] = []
const say = (line: string) => void said.push(line)

beforeAll(async () => {
  server = await startServer({ DMP_CLIENT_ID: clientId })
  product = await withPage(await server.listen(), () => aPage({ clientId, isDemo: false }))
})
afterAll(async () => {
  await product.close()
  await server.close()
})
beforeEach(() => (said = []))

const listSeeded = async () => {
  const { db } = server.deps
  const [scans, complaints, organizations] = await Promise.all([
    db.selectFrom('series').selectAll().where('patient_id', '=', seededName).execute(),
    db.selectFrom('complaints').selectAll().where('description', 'like', `[${seededName}]%`).execute(),
    db.selectFrom('organizations').selectAll().where('name', '=', seededName).execute(),
  ])
  return { scans, complaints, organizations }
}

describe('the seeded world', () => {
  it('is laid in by the calls, marked, and mails nobody who exists', async () => {
    const mailsBefore = await server.deps.db.selectFrom('mails').select('id').execute()
    await seed(product.address, say, env)
    const { scans, complaints, organizations } = await listSeeded()
    expect(scans).toHaveLength(3)
    expect(complaints).toHaveLength(2)
    expect(organizations).toMatchObject([{ status: 'Activated', datastore_id: expect.any(String) }])
    const mails = await server.deps.db.selectFrom('mails').select(['id', 'recipient']).execute()
    const sent = mails.filter(({ id }) => !mailsBefore.some((mail) => mail.id === id))
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.map(({ recipient }) => recipient).filter((to) => !to.endsWith('@qa.invalid'))).toEqual([])
  })

  it('is not laid in twice', async () => {
    await seed(product.address, say, env)
    const { scans, complaints, organizations } = await listSeeded()
    expect([scans.length, complaints.length, organizations.length]).toEqual([3, 2, 1])
    expect(said.join('\n')).toContain('3 scans were there')
  })

  it('goes away: scans are deleted, and what the product cannot delete is ended, and said', async () => {
    await unseed(product.address, say, env)
    const { scans, complaints, organizations } = await listSeeded()
    expect(scans).toEqual([])
    expect(complaints).toHaveLength(2)
    const root = await server.signIn('super_admin')
    const { data } = await root.call(complaint.list, { search: seededName, page: 1, pageSize: 10 })
    expect(data.map(({ currentStatus }) => currentStatus)).toEqual(['Resolved', 'Resolved'])
    expect(organizations).toMatchObject([{ status: 'Deactivated' }])
    expect(said.join('\n')).toMatch(/3 scans deleted\n2 complaints resolved \(complaints cannot be deleted\)/)
  })

  it('comes back into the same organization', async () => {
    await seed(product.address, say, env)
    const { scans, organizations } = await listSeeded()
    expect(scans).toHaveLength(3)
    expect(organizations).toMatchObject([{ status: 'Activated' }])
  })

  it('is refused in one sentence where an account is', async () => {
    const wrong = { ...env, E2E_ADMIN: 'admin@north.example:Wrong-Passw0rd!' }
    await expect(seed(product.address, say, wrong)).rejects.toThrow(
      /^E2E_ADMIN \(admin@north\.example\) was refused: “/,
    )
  })
})
