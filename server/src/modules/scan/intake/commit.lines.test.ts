import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { objectOf } from '../../../testing/callsFromOutside.ts'
import { freshObjects } from '../../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { commit } from './commit.ts'
import { isPrepared, prepare } from './intake.ts'
import { recoverObjects } from './objectRecovery.ts'

type Execute = (this: DatabaseConnection, query: CompiledQuery) => Promise<unknown>

/** What breaks at a statement: it is never asked, its answer is lost, or the database is away from then on. */
const breaks = ['is not asked', 'is not answered', 'finds the database gone'] as const

describe.each(['folder', 'bucket'] as const)('a line to the database that breaks, with a %s of objects', (kind) => {
  let server: TestServer
  let admin: SignedIn
  let organizationId: string
  let close: () => Promise<void>
  let connection: { executeQuery: Execute }
  beforeAll(async () => {
    const objects = await freshObjects(kind, false)
    server = await startServer(objects.variables)
    close = () => objects.close()
    admin = await server.signIn('admin')
    organizationId = await server.organizationOf(admin)
    await server.deps.db
      .getExecutor()
      .provideConnection(async (provided) => void (connection = Object.getPrototypeOf(provided) as typeof connection))
  })
  afterAll(async () => {
    await server.close()
    await close()
  })

  /** One request goes alone, the other two together; returns whether the statement was reached. */
  async function sendWhile(study: string, how: (typeof breaks)[number], at: number): Promise<boolean> {
    const group = []
    for (const number of [1, 2, 3]) {
      const context = {
        viewer: { userId: admin.userId, organizationId },
        request: { id: `${study} ${number}`, ip: '127.0.0.1' },
      }
      const incoming = { organizationId, source: 'Test', context }
      const prepared = await prepare(server.deps, incoming, objectOf(study, number), 2 ** 20)
      if (!isPrepared(prepared)) throw new Error('refused')
      group.push({ incoming, prepared })
    }
    const execute = connection.executeQuery
    let asked = 0
    const spy = jest.spyOn(connection, 'executeQuery').mockImplementation(async function (
      this: DatabaseConnection,
      query,
    ) {
      asked += 1
      const isBroken = how === 'finds the database gone' ? asked > at : asked === at + 1
      // Whatever becomes of the line, the database ends what was not committed.
      if (!isBroken || query.sql === 'rollback') return execute.call(this, query)
      if (how === 'is not answered') await execute.call(this, query)
      throw new Error('the line broke')
    })
    const results = await Promise.allSettled(
      group.map(({ incoming, prepared }) => commit(server.deps, incoming, [prepared])),
    )
    spy.mockRestore()
    const kinds = results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.kind : 'failed'))
    const isTold = how !== 'finds the database gone'
    const { kept, discarded } = await recoverObjects(server.deps.db, server.deps.objects, 0)
    if (isTold) expect({ at, kept, discarded }).toEqual({ at, kept: 0, discarded: 0 })
    const rows = await server.deps.db
      .selectFrom('instances')
      .select(['sop_instance_uid', 'object_key', 'byte_size'])
      .where('series_uid', '=', `${study}.1`)
      .execute()
    for (const [index, { prepared }] of group.entries()) {
      const { key, staged, ids } = prepared
      const row = rows.find((other) => other.sop_instance_uid === ids.sopInstanceUID)
      const holds = await server.deps.objects.holds(key, staged.size)
      expect({ at, index, holds, named: row?.object_key }).toEqual({ at, index, holds, named: holds ? key : undefined })
      if (kinds[index] === 'stored') expect({ at, index, holds }).toEqual({ at, index, holds: true })
    }
    return asked > at
  }

  it.each(breaks)(
    'at any statement leaves no row without bytes, no bytes without a row: it %s [P20, P21, P62]',
    async (how) => {
      let at = 0
      while (await sendWhile(`1.94.${breaks.indexOf(how)}.${at}`, how, at)) at += 1
      // The look, the transaction and what it records, of one alone and of two together.
      expect(at).toBeGreaterThan(20)
    },
  )
})
