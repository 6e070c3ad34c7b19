import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { dicomPartner, scan } from '@dmp/contract'
import { tag, transferSyntax } from '@dmp/dicom'
import { acceptAssociation, commandField, responseBit, type Association, type Message } from '@dmp/dimse'
import { text } from '../../dicom/testing/dicomFile.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { ask, level, readMessage, uid } from './askInTests.ts'
import {
  addPartner,
  contextOf,
  ctClass,
  dial,
  dicomVariables,
  listStored,
  sliceBytes,
  store,
  studyFind,
  studyGet,
  studyMove,
  titleOf,
} from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let organizationId: string
let north: string
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
  north = await titleOf(admin)
  await addPartner(admin)
})
afterAll(() => server.close())

const ofSeries = (series: string) => ({
  [tag.StudyInstanceUID]: text('UI', '1.2.3'),
  [tag.SeriesInstanceUID]: text('UI', series),
})
/** Three images of a series of the study 1.2.3. */
async function fill(series: string, first: number): Promise<void> {
  const association = await dial(server, { calledTitle: north })
  for (const number of [first, first + 1, first + 2])
    expect((await store(association, number, sliceBytes(number, ofSeries(series)))).status).toBe(0)
  await association.release()
}
const seriesKeys = (series: string) =>
  level('SERIES', { ...uid(tag.StudyInstanceUID, '1.2.3'), ...uid(tag.SeriesInstanceUID, series) })
const remove = (series: string) => admin.call(scan.remove, { organizationId, seriesIdList: [series] })
const roles = [{ abstractSyntax: ctClass, isUser: false, isProvider: true }]
const dialGet = () => dial(server, { calledTitle: north, classes: [studyGet, ctClass], roles })

async function receive(association: Association | undefined): Promise<Message> {
  const message = await association?.receive()
  if (!association || !message) throw new Error('The association was released.')
  await readMessage(message)
  return message
}
const answerStored = (association: Association, { context, command }: Message): Promise<void> =>
  association.send(context, {
    field: commandField.storeRequest | responseBit,
    sopClassUID: command.sopClassUID,
    sopInstanceUID: command.sopInstanceUID,
    respondedTo: command.messageId,
    status: 0,
  })

/** A partner that images are moved to; `act` has the association once its first image has arrived. */
async function openReceiver(aeTitle: string, act: (id: string) => Promise<unknown>) {
  const over = Promise.withResolvers<string>()
  const listener = createServer((socket) => {
    void acceptAssociation(socket, 60_000, async (proposal) => ({
      choose: () => transferSyntax.explicitLittleEndian,
      roles: proposal.roles,
    })).then(async (association) => {
      await receive(association)
      await act(id)
      // It never answers: what comes next is the end, or nothing.
      over.resolve(
        await receive(association).then(
          () => 'more',
          () => 'over',
        ),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const { id } = await addPartner(admin, { name: aeTitle, aeTitle, host: '127.0.0.1', port })
  return { over: over.promise, close: () => listener.close() }
}
const dialMove = () => dial(server, { calledTitle: north, classes: [studyMove] })
const move = (association: Association, series: string, moveDestination: string) =>
  ask(association, commandField.moveRequest, studyMove, seriesKeys(series), { moveDestination })

describe('images that are on their way to a partner [P51]', () => {
  it('end when the partner is disabled, and whoever asked is told [P11]', async () => {
    await fill('1.2.3.10', 10)
    const receiver = await openReceiver('DISABLED', (id) => admin.call(dicomPartner.disable, { id }))
    const { answers } = await move(await dialMove(), '1.2.3.10', 'DISABLED')
    expect([await receiver.over, answers.map(({ status }) => status)]).toEqual(['over', [0xa702]])
    receiver.close()
  })

  it('end with the line that asked for them: whoever leaves leaves none behind [P20]', async () => {
    await fill('1.2.3.20', 20)
    const asking = await dialMove()
    const receiver = await openReceiver('LEFT', async () => asking.abort())
    await expect(move(asking, '1.2.3.20', 'LEFT')).rejects.toThrow('over')
    expect(await receiver.over).toBe('over')
    receiver.close()
  })

  it('end where they are deleted: their bytes are in the bin, and go to nobody [P54]', async () => {
    await fill('1.2.3.30', 30)
    const association = await dialGet()
    const context = contextOf(association, studyGet)
    const data = writeDataset(seriesKeys('1.2.3.30'), { isExplicit: true, isBigEndian: false })
    const command = { field: commandField.getRequest, sopClassUID: studyGet, messageId: 5, priority: 0 }
    await association.send(context, command, data)
    const first = await receive(association)
    expect(first.command.sopInstanceUID).toBe('1.2.3.4.30')
    expect((await remove('1.2.3.30')).status).toBe(200)
    await answerStored(association, first)
    const rest: number[] = []
    for (;;) {
      const { command: next } = await receive(association)
      rest.push(next.field)
      if (next.status === 0) break
    }
    const answered = commandField.getRequest | responseBit
    expect(rest).toEqual([answered, answered])
  })

  it('are one of each, however often an image is named [P18]', async () => {
    await fill('1.2.3.40', 40)
    const named = { [tag.SOPInstanceUID]: { vr: 'UI', Value: Array.from({ length: 1000 }, () => '1.2.3.4.41') } }
    const { stored } = await ask(await dialGet(), commandField.getRequest, studyGet, level('IMAGE', named))
    expect(stored).toEqual(['1.2.3.4.41'])
  })
})

it('has given what is there, and nothing that was only asked for [P24]', async () => {
  await fill('1.2.3.60', 60)
  const named = { [tag.SeriesInstanceUID]: { vr: 'UI', Value: ['1.2.3.404', '1.2.3.60'] } }
  const keys = level('SERIES', { ...uid(tag.StudyInstanceUID, '1.2.3'), ...named })
  const { stored } = await ask(await dialGet(), commandField.getRequest, studyGet, keys)
  expect(stored).toHaveLength(3)
  const rows = await server.deps.db
    .selectFrom('audit')
    .select('subject')
    .where('event', '=', 'ScanDownloaded')
    .execute()
  const given = rows.map(({ subject }) => (subject as { seriesUID?: string }).seriesUID)
  expect(given.filter((series) => series === '1.2.3.60' || series === '1.2.3.404')).toEqual(['1.2.3.60'])
})

it('gives and finds nothing of the bin, and a hold keeps what a partner stored [P51, P54]', async () => {
  await fill('1.2.3.50', 50)
  expect((await remove('1.2.3.50')).status).toBe(200)
  const finding = await dial(server, { calledTitle: north, classes: [studyFind] })
  const keys = level('IMAGE', { ...uid(tag.SeriesInstanceUID, '1.2.3.50'), [tag.SOPInstanceUID]: { vr: 'UI' } })
  const found = await ask(finding, commandField.findRequest, studyFind, keys)
  expect(found.answers.map(({ status }) => status)).toEqual([0])
  const got = await ask(await dialGet(), commandField.getRequest, studyGet, seriesKeys('1.2.3.50'))
  expect(got.stored).toEqual([])
  await fill('1.2.3.50', 50)
  expect((await admin.call(scan.listBin, { search: '1.2.3.50' })).data).toHaveLength(1)
  expect((await admin.call(scan.hold, { organizationId, studyUID: '1.2.3', reason: 'court' })).status).toBe(200)
  expect((await remove('1.2.3.50')).code).toBe('LEGAL_HOLD')
  expect(await listStored(server, admin)).toEqual(expect.arrayContaining(['1.2.3.4.50', '1.2.3.4.51', '1.2.3.4.52']))
})
