import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { stow } from '../../testing/stow.ts'
import { server, staff, get, startWithCallers } from './stowInTests.ts'

beforeAll(startWithCallers)
afterAll(() => server.close())

describe('bad days [P21]', () => {
  const newObject = (uid: string) => [dicomFile({ elements: slice({ '00080018': text('UI', uid) }) })]
  const underWay = async () => server.deps.objects.recover(async () => new Set(), 0)

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
    expect((await stow(server, staff, newObject('1.2.3.92'))).statusCode).toBe(500)
    rows.mockRestore()
    // For whoever watches the log, that is an error.
    const lines = server.logs
      .slice(logLength)
      .map((line) => JSON.parse(line) as { msg: string; status?: number; level: number })
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

  it('shows nothing that it cannot record [P24]', async () => {
    const record = jest.spyOn(server.deps, 'write').mockRejectedValue(new Error('no audit'))
    const path = '/studies/1.2.3/series/1.2.3.4/metadata'
    expect((await get(staff, path)).statusCode).toBe(500)
    record.mockRestore()
    expect((await get(staff, path)).statusCode).toBe(200)
  })
})
