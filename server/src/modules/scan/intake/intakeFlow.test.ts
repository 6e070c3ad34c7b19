import { Readable } from 'node:stream'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { Encryption } from '../../../outside/encryption/encryption.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { IntakeFlow } from './intakeFlow.ts'

const context = { request: { id: 'test', ip: 'here' } }

describe('objects that arrive one after the other', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  it('are answered in the order in which they came, refused ones among them [P12]', async () => {
    const { id } = await server.deps.db
      .selectFrom('organizations')
      .select('id')
      .where('name', '=', 'North-Clinic')
      .executeTakeFirstOrThrow()
    const flow = new IntakeFlow(server.deps, { organizationId: id, source: 'Test', context }, 2 ** 20)
    const object = (number: number) =>
      dicomFile({
        elements: slice({
          '00080018': text('UI', `1.30.1.${number}`),
          '0020000D': text('UI', '1.30'),
          '0020000E': text('UI', '1.30.1'),
        }),
      })
    for (const content of [object(1), Buffer.from('no object'), object(2), Buffer.from('none either'), object(3)])
      await flow.take(Readable.from([content]))
    expect((await flow.finish()).map(({ part, outcome }) => `${part} ${outcome.kind}`)).toEqual([
      '1 stored',
      '2 refused',
      '3 stored',
      '4 refused',
      '5 stored',
    ])
  })
})

/** A store that takes nothing: what counts here is how much is asked of it. */
function refusingFlow(stage: () => Promise<never>): IntakeFlow {
  return new IntakeFlow(
    { db: {}, write: {}, objects: { stage }, encryption: new Encryption({} as never, [], {} as never) } as never,
    { organizationId: 'one', source: 'Test', context },
    10,
  )
}

describe('a flow of many objects', () => {
  it('has eight of them on their way to the store at a time [P18]', async () => {
    const gate = Promise.withResolvers<void>()
    let under = 0
    let most = 0
    const flow = refusingFlow(async () => {
      under += 1
      most = Math.max(most, under)
      await gate.promise
      under -= 1
      throw new ObjectStoreError('TOO_LARGE')
    })
    const takes = Array.from({ length: 20 }, () => flow.take(Readable.from([])))
    await new Promise((later) => setImmediate(later))
    expect(most).toBe(8)
    gate.resolve()
    await Promise.all(takes)
    expect(await flow.finish()).toHaveLength(20)
  })

  it('is ten thousand at most [P12, P18]', async () => {
    const flow = refusingFlow(() => Promise.reject(new ObjectStoreError('TOO_LARGE')))
    for (let n = 0; n < 10_000; n += 1) await flow.take(Readable.from([]))
    await expect(flow.take(Readable.from([]))).rejects.toMatchObject({ status: 413, code: 'TOO_LARGE' })
  })
})
