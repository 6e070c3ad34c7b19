import { keyIdOf } from '../../../outside/encryption/dataKey.ts'
import { createTestMasterKey } from '../../../testing/objects.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { getProjectSecret, openProject, resealProjects } from './transferProjects.ts'

let server: TestServer
let northId: string

beforeAll(async () => {
  server = await startServer({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
  const { db } = server.deps
  northId = (
    await db.selectFrom('organizations').select('id').where('name', '=', 'North-Clinic').executeTakeFirstOrThrow()
  ).id
})
afterAll(() => server.close())

const open = async (name: string, isSealed = true): Promise<string> => {
  const dataKey = isSealed ? await server.deps.encryption.current(northId) : undefined
  return server.deps.db.transaction().execute((trx) => openProject(trx, northId, name, dataKey))
}
const rowOf = (id: string) =>
  server.deps.db.selectFrom('transfer_projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('the secret of a project', () => {
  it('lies under the key of its organization, and is the same for whoever names the project', async () => {
    const id = await open('Knee')
    const row = await rowOf(id)
    expect([keyIdOf(row.secret), row.secret.length > 32]).toEqual([row.key_id, true])
    expect(await open('knee')).toBe(id)
    expect(await getProjectSecret(server.deps, id)).toHaveLength(32)
  })

  it('comes under the present key with the scans, from the clear and from a retired key, and stays the same', async () => {
    const ids = [await open('In the clear', false), await open('Under a first key')]
    const secrets = await Promise.all(ids.map((id) => getProjectSecret(server.deps, id)))
    await server.deps.encryption.add(northId, 'next')
    const dataKey = await server.deps.encryption.current(northId)
    if (!dataKey) throw new Error('no key')
    await resealProjects(server.deps, dataKey)
    for (const [at, id] of ids.entries()) {
      expect((await rowOf(id)).key_id).toBe(dataKey.id)
      expect(Buffer.from(await getProjectSecret(server.deps, id)).equals(secrets[at] ?? Buffer.alloc(0))).toBe(true)
    }
  })
})
