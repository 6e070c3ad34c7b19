import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { createTestMasterKey, freshObjects } from '../../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { commit } from './commit.ts'
import { isPrepared, prepare, type IntakeOutcome, type PreparedObject } from './intake.ts'

const object = (study: string, number: number, patientId = '1'): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.1.${number}`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
      '00100020': text('LO', patientId),
    }),
  })

describe.each([
  ['a folder', 'folder', {}],
  ['a folder, encrypted', 'folder', { DMP_ENCRYPTION_KEY: createTestMasterKey() }],
  ['a bucket', 'bucket', {}],
] as const)('requests that arrive together, into %s', (_name, kind, encryption) => {
  let server: TestServer
  let admin: SignedIn
  let organizationId: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const objects = await freshObjects(kind, false)
    server = await startServer({ ...objects.variables, ...encryption })
    close = () => objects.close()
    admin = await server.signIn('admin')
    organizationId = await server.organizationOf(admin)
  })
  afterEach(() => jest.restoreAllMocks())
  afterAll(async () => {
    await server.close()
    await close()
  })

  const incomingOf = (requestId: string) => ({
    organizationId,
    source: 'Test',
    context: { viewer: { userId: admin.userId, organizationId }, request: { id: requestId, ip: '127.0.0.1' } },
  })

  /** Each as a request of its own. The first goes alone; all the others wait for it, and go together. */
  async function sendTogether(contents: readonly Buffer[]): Promise<PromiseSettledResult<IntakeOutcome[]>[]> {
    const prepared: { incoming: ReturnType<typeof incomingOf>; ready: PreparedObject }[] = []
    for (const [index, content] of contents.entries()) {
      const incoming = incomingOf(`request ${index}`)
      const ready = await prepare(server.deps, incoming, content, 2 ** 20)
      if (isPrepared(ready)) prepared.push({ incoming, ready })
    }
    return Promise.allSettled(prepared.map(({ incoming, ready }) => commit(server.deps, incoming, [ready])))
  }

  const toKinds = (results: readonly PromiseSettledResult<IntakeOutcome[]>[]): string[] =>
    results.map((result) => {
      if (result.status === 'rejected') return (result.reason as Error).message
      const [outcome] = result.value
      return outcome?.kind === 'refused' ? outcome.reason : (outcome?.kind ?? '')
    })
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
  const nothingUnderWay = async () =>
    expect(await server.deps.objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  const readAll = async (study: string, count: number): Promise<boolean[]> =>
    Promise.all(
      numbers(count).map(async (number) => {
        const { statusCode, rawPayload } = await server.app.inject({
          url: `/dicom-web/studies/${study}/series/${study}.1/instances/${study}.1.${number}`,
          headers: { ...admin.headers, accept: 'application/dicom' },
        })
        return statusCode === 200 && rawPayload.equals(object(study, number))
      }),
    )

  it('share a transaction, and leave a row of the audit each [P20, P24, P62]', async () => {
    const write = jest.spyOn(server.deps, 'write')
    const results = await sendTogether(numbers(6).map((number) => object('1.93.1', number)))
    expect(toKinds(results)).toEqual(Array(6).fill('stored'))
    expect(write).toHaveBeenCalledTimes(2)
    expect(await readAll('1.93.1', 6)).toEqual(Array(6).fill(true))
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['request_id', 'actor_id', 'position', 'subject'])
      .where('event', '=', 'ScansUploaded')
      .where('request_id', 'like', 'request %')
      .orderBy('position')
      .execute()
    expect(rows.map((row) => [row.request_id, row.actor_id, row.subject])).toEqual(
      numbers(6).map((number) => [
        `request ${number - 1}`,
        admin.userId,
        { source: 'Test', instances: 1, series: ['1.93.1.1'] },
      ]),
    )
    const { instances } = await server.deps.db
      .selectFrom('series')
      .select('instances')
      .where('series_uid', '=', '1.93.1.1')
      .executeTakeFirstOrThrow()
    expect(instances).toBe(6)
    await nothingUnderWay()
  })

  it('are answered each for itself: one contradicts, one is known, two are the same [P12, P20, P62]', async () => {
    await stow(server, admin, [object('1.93.2', 1)])
    const sent = [object('1.93.2', 2), object('1.93.2', 3), object('1.93.2', 4, 'another'), object('1.93.2', 1)]
    const results = await sendTogether([...sent, object('1.93.2', 5), object('1.93.2', 6), object('1.93.2', 6)])
    const kinds = toKinds(results)
    expect(kinds.slice(0, 5)).toEqual(['stored', 'stored', 'OTHER_PATIENT', 'duplicate', 'stored'])
    // Whichever of the two was first.
    expect(kinds.slice(5).toSorted()).toEqual(['duplicate', 'stored'])
    expect((await readAll('1.93.2', 6)).map(String)).toEqual(['true', 'true', 'true', 'false', 'true', 'true'])
    await nothingUnderWay()
  })

  it('are tried one by one when their transaction fails [P20, P21, P62]', async () => {
    const write = server.deps.write
    let calls = 0
    jest.spyOn(server.deps, 'write').mockImplementation((context, change) => {
      calls += 1
      // The second is the shared one, the third the first of a request by itself.
      return calls === 2 || calls === 3 ? Promise.reject(new Error(`failed ${calls}`)) : write(context, change)
    })
    const results = await sendTogether(numbers(4).map((number) => object('1.93.3', number)))
    // Whichever of the three comes to its own transaction first.
    const kinds = toKinds(results)
    expect([kinds[0], kinds.toSorted()]).toEqual(['stored', ['failed 3', 'stored', 'stored', 'stored']])
    expect(await readAll('1.93.3', 4)).toEqual(kinds.map((kind) => kind === 'stored'))
    await nothingUnderWay()
  })

  it('are stored when the line to the database breaks behind their commit [P20, P21, P62]', async () => {
    const write = server.deps.write
    let calls = 0
    jest.spyOn(server.deps, 'write').mockImplementation(async (context, change) => {
      const result = await write(context, change)
      calls += 1
      if (calls === 2) throw new Error('the line broke')
      return result
    })
    const results = await sendTogether(numbers(4).map((number) => object('1.93.4', number)))
    expect(toKinds(results)).toEqual(Array(4).fill('stored'))
    expect(await readAll('1.93.4', 4)).toEqual(Array(4).fill(true))
    await nothingUnderWay()
  })

  it('get no success from a store whose sync fails, and are not tried again [P20, P21, P62]', async () => {
    const intend = server.deps.objects.intend.bind(server.deps.objects)
    const spy = jest.spyOn(server.deps.objects, 'intend').mockImplementation((intentions) => {
      return intentions.length > 1 ? Promise.reject(new ObjectStoreError('UNAVAILABLE')) : intend(intentions)
    })
    const results = await sendTogether(numbers(4).map((number) => object('1.93.5', number)))
    const failure = 'The object store does not respond. Please try again later.'
    expect(toKinds(results)).toEqual(['stored', failure, failure, failure])
    expect(spy).toHaveBeenCalledTimes(2)
    spy.mockRestore()
    expect(await readAll('1.93.5', 4)).toEqual([true, false, false, false])
    await nothingUnderWay()
    expect(toKinds(await sendTogether(numbers(4).map((number) => object('1.93.5', number))))).toEqual([
      'duplicate',
      'stored',
      'stored',
      'stored',
    ])
  })
})
