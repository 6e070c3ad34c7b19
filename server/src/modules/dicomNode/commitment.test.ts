import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { tag, transferSyntax } from '@dmp/dicom'
import { acceptAssociation, commandField, responseBit, type Association, type Command } from '@dmp/dimse'
import { items } from '../../dicom/attributes.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readDataset } from '../../dicom/readDataset.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { readMessage, uid } from './askInTests.ts'
import { addPartner, contextOf, ctClass, dial, dicomVariables, store, titleOf } from './nodeInTests.ts'

const commitment = '1.2.840.10008.1.20.1'
const mrClass = '1.2.840.10008.5.1.4.1.1.4'

let server: TestServer
let admin: SignedIn
let north: string
let association: Association
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  north = await titleOf(admin)
  await addPartner(admin)
})
beforeEach(async () => {
  association = await dial(server, { calledTitle: north, classes: [commitment, ctClass] })
})
afterEach(() => association.abort())
afterAll(() => server.close())

const reference = (instance: string, sopClass = ctClass): JsonDataset => ({
  ...uid(tag.ReferencedSOPClassUID, sopClass),
  ...uid(tag.ReferencedSOPInstanceUID, instance),
})
const requestOf = (references: readonly JsonDataset[], transaction = '1.2.99'): JsonDataset => ({
  ...uid(tag.TransactionUID, transaction),
  [tag.ReferencedSOPSequence]: { vr: 'SQ', Value: [...references] },
})
const many = (count: number) => Array.from({ length: count }, (_, n) => reference(`1.2.3.9.${n}`))

const request = (dataset: JsonDataset, more: Partial<Command> = {}, on = association): Promise<Command> =>
  on.request(
    contextOf(on, commitment),
    {
      field: commandField.actionRequest,
      requestedSopClassUID: commitment,
      requestedSopInstanceUID: '1.2.840.10008.1.20.1.1',
      actionType: 1,
      ...more,
    },
    writeDataset(dataset, { isExplicit: true, isBigEndian: false }),
  )

/** The report that follows a request, answered; of what failed with the reasons. */
async function takeReport(on = association) {
  const report = await on.receive()
  if (!report) throw new Error('No report.')
  const dataset = await readDataset(await readMessage(report), report.context.transferSyntax)
  const { messageId: respondedTo, eventType } = report.command
  const answer = { field: commandField.eventRequest | responseBit, respondedTo, status: 0 }
  await on.send(report.context, answer)
  const list = (key: string) => items(dataset, key).map((item) => item[tag.ReferencedSOPInstanceUID]?.Value?.[0])
  const reasons = items(dataset, tag.FailedSOPSequence).map((item) => item[tag.FailureReason]?.Value?.[0])
  return { eventType, kept: list(tag.ReferencedSOPSequence), failed: list(tag.FailedSOPSequence), reasons }
}

describe('storage commitment [P51]', () => {
  it.each<[string, JsonDataset, Partial<Command>?]>([
    ['another action than the request', requestOf([reference('1.2.3.4.1')]), { actionType: 2 }],
    [
      'another instance than the well-known one',
      requestOf([reference('1.2.3.4.1')]),
      { requestedSopInstanceUID: '1.2' },
    ],
    ['no transaction', requestOf([reference('1.2.3.4.1')], 'x')],
    ['no objects', requestOf([])],
    ['more than ten thousand objects', requestOf(many(10_001))],
  ])('is refused with %s, and the next request is answered', async (_what, dataset, more = {}) => {
    expect((await request(dataset, more)).status).toBe(0x0115)
    expect((await request(requestOf([reference('1.2.3.4.404')]))).status).toBe(0)
    expect(await takeReport()).toMatchObject({ eventType: 2, failed: ['1.2.3.4.404'] })
  })

  it('is reported to the partner’s own address where its line is gone, on a line that is then given back', async () => {
    const { promise: told, resolve: tell } = Promise.withResolvers<unknown>()
    const listener = createServer((socket) => {
      void acceptAssociation(socket, 60_000, async (proposal) => ({
        choose: () => transferSyntax.explicitLittleEndian,
        roles: proposal.roles,
      })).then(async (reporting) => {
        const { eventType } = await takeReport(reporting)
        const next = reporting?.receive().then((message) => message ?? 'released')
        tell([eventType, await Promise.race([next, pause(5000, 'still open', { ref: false })])])
      })
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    await addPartner(admin, { name: 'Leaves', aeTitle: 'LEAVES', host: '127.0.0.1', port })
    const leaving = await dial(server, { calledTitle: north, callingTitle: 'LEAVES', classes: [commitment] })
    expect((await request(requestOf([reference('1.2.3.4.404')]), {}, leaving)).status).toBe(0)
    leaving.abort()
    expect(await told).toEqual([2, 'released'])
    listener.close()
  })

  it('is answered for ten thousand objects', async () => {
    expect((await request(requestOf(many(10_000)))).status).toBe(0)
    expect((await takeReport()).failed).toHaveLength(10_000)
  })

  it('is not given for bytes that the store has lost, nor for an object of another class', async () => {
    for (const number of [1, 2]) expect((await store(association, number)).status).toBe(0)
    const references = [reference('1.2.3.4.1'), reference('1.2.3.4.2', mrClass)]
    const { objects } = server.deps
    const holds = objects.holds.bind(objects)
    const { object_key: lost } = await server.deps.db
      .selectFrom('instances')
      .select('object_key')
      .where('sop_instance_uid', '=', '1.2.3.4.1')
      .executeTakeFirstOrThrow()
    const looked = jest
      .spyOn(objects, 'holds')
      .mockImplementation(async (key, size) => key !== lost && (await holds(key, size)))
    expect((await request(requestOf(references))).status).toBe(0)
    expect(await takeReport()).toEqual({
      eventType: 2,
      kept: [],
      failed: ['1.2.3.4.1', '1.2.3.4.2'],
      reasons: [0x0112, 0x0119],
    })
    looked.mockRestore()
    expect((await request(requestOf([reference('1.2.3.4.1'), reference('1.2.3.4.2')]))).status).toBe(0)
    expect(await takeReport()).toMatchObject({ eventType: 1, kept: ['1.2.3.4.1', '1.2.3.4.2'], failed: [] })
  })
})
