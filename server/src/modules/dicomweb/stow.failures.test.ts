import type { CompiledQuery } from 'kysely'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { stow } from '../../testing/stow.ts'
import { server, staff, get, startWithCallers } from './stowInTests.ts'

beforeAll(startWithCallers)
afterAll(() => server.close())

describe('bad days [P21]', () => {
  const newObject = (uid: string) => [dicomFile({ elements: slice({ '00080018': text('UI', uid) }) })]
  const underWay = async () => {
    const { objects } = server.deps
    // It does not ask about what it writes to itself.
    await objects.close()
    return objects.recover(async () => new Set(), 0)
  }

  it('says that the store is full, takes nothing, and goes on when there is room [P21]', async () => {
    const full = jest.spyOn(server.deps.objects, 'stage').mockRejectedValueOnce(new ObjectStoreError('FULL'))
    const reply = await stow(server, staff, newObject('1.2.3.91'))
    expect([reply.statusCode, reply.json().message]).toEqual([
      507,
      'The object store is full. Free some space and try again.',
    ])
    full.mockRestore()
    expect((await stow(server, staff, newObject('1.2.3.91'))).statusCode).toBe(200)
  })

  it('leaves no bytes behind when rows cannot be written, nor rows when bytes cannot [P20, P21]', async () => {
    const rows = jest.spyOn(server.deps, 'write').mockRejectedValueOnce(new Error('the database is away'))
    const logLength = server.logs.length
    const failed = await stow(server, staff, newObject('1.2.3.92'))
    expect([failed.statusCode, failed.json()]).toMatchObject([500, { code: 'INTERNAL' }])
    expect(failed.body).not.toContain('away')
    rows.mockRestore()
    // For whoever watches the log, that is an error, with its cause under the id that the caller was told.
    const lines = server.logs
      .slice(logLength)
      .map((line) => JSON.parse(line) as { msg: string; reqId: string; status?: number; level: number; err?: object })
    expect(lines.filter(({ msg }) => msg === 'unexpected error')).toMatchObject([
      {
        level: 50,
        reqId: failed.json<{ requestId: string }>().requestId,
        err: { message: 'the database is away', stack: expect.stringContaining('stow.failures.test.ts') as string },
      },
    ])
    expect(lines.filter(({ msg, status }) => msg === 'request' && status === 500).map(({ level }) => level)).toEqual([
      50,
    ])
    expect(await underWay()).toEqual({ kept: 0, discarded: 0 })
    const bytes = jest.spyOn(server.deps.objects, 'intend').mockRejectedValueOnce(new ObjectStoreError('READ_ONLY'))
    expect((await stow(server, staff, newObject('1.2.3.92'))).statusCode).toBe(503)
    bytes.mockRestore()
    expect(
      await server.deps.db
        .selectFrom('instances')
        .select('sop_instance_uid')
        .where('sop_instance_uid', '=', '1.2.3.92')
        .execute(),
    ).toEqual([])
    expect(await underWay()).toEqual({ kept: 0, discarded: 0 })
    expect((await stow(server, staff, newObject('1.2.3.92'))).statusCode).toBe(200)
  })

  it('leaves no bytes behind when what is stored cannot be looked up [P20, P21]', async () => {
    const { db } = server.deps
    const execute = db.executeQuery.bind(db)
    const reading = jest.spyOn(db, 'executeQuery').mockImplementation(((query: CompiledQuery) => {
      if (query.sql.includes('from instances')) throw new Error('the database is away')
      return execute(query)
    }) as never)
    expect((await stow(server, staff, newObject('1.2.3.93'))).statusCode).toBe(500)
    reading.mockRestore()
    expect(await underWay()).toEqual({ kept: 0, discarded: 0 })
  })

  it('leaves nothing of the groups behind one that cannot be written [P20, P21]', async () => {
    const objects = Array.from({ length: 100 }, (_, at) => newObject(`1.2.3.94.${at}`)).flat()
    const staging = jest.spyOn(server.deps.objects, 'stage')
    const rows = jest.spyOn(server.deps, 'write').mockImplementationOnce(async () => {
      // A whole group more waits for this one.
      while (staging.mock.calls.length < 80) await new Promise((later) => setTimeout(later, 10))
      throw new Error('the database is away')
    })
    expect((await stow(server, staff, objects)).statusCode).toBe(500)
    rows.mockRestore()
    staging.mockRestore()
    expect(await underWay()).toEqual({ kept: 0, discarded: 0 })
  })

  it('shows nothing that it cannot record [P24]', async () => {
    const record = jest.spyOn(server.deps, 'write').mockRejectedValue(new Error('no audit'))
    const path = '/studies/1.2.3/series/1.2.3.4/metadata'
    expect((await get(staff, path)).statusCode).toBe(500)
    record.mockRestore()
    expect((await get(staff, path)).statusCode).toBe(200)
  })
})
