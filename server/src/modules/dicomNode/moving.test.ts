import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { dicomPartner } from '@dmp/contract'
import { tag, transferSyntax } from '@dmp/dicom'
import {
  acceptAssociation,
  commandField,
  responseBit,
  type Agreement,
  type Association,
  type ProposedContext,
  type Rejection,
} from '@dmp/dimse'
import { tooManyRequests } from '../../core/errors.ts'
import { encapsulated, text, datasetBytes, slice } from '../../dicom/testing/dicomFile.ts'
import { readDataset } from '../../dicom/readDataset.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { ask, level, readMessage, uid } from './askInTests.ts'
import {
  addPartner,
  ctClass,
  dial,
  dicomVariables,
  sliceBytes,
  store,
  studyGet,
  studyMove,
  titleOf,
} from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let north: string
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  north = await titleOf(admin)
  await addPartner(admin)
  const association = await dial(server, { calledTitle: north })
  for (const number of [1, 2, 3]) expect((await store(association, number, sliceBytes(number))).status).toBe(0)
  await association.release()
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => server.close())

const roles = [{ abstractSyntax: ctClass, isUser: false, isProvider: true }]
const dialGet = () => dial(server, { calledTitle: north, classes: [studyGet, ctClass], roles })
const ofStudy = level('STUDY', uid(tag.StudyInstanceUID, '1.2.3'))
async function move(moveDestination: string, keys = ofStudy) {
  const association = await dial(server, { calledTitle: north, classes: [studyMove] })
  const { answers } = await ask(association, commandField.moveRequest, studyMove, keys, { moveDestination })
  await association.release()
  return answers.map(({ status }) => status)
}
async function get(keys = ofStudy) {
  const association = await dialGet()
  const { answers, stored } = await ask(association, commandField.getRequest, studyGet, keys)
  await association.release()
  const { status, dataset = {} } = answers.at(-1) ?? {}
  return { status, stored, failedUids: dataset[tag.FailedSOPInstanceUIDList]?.Value ?? [] }
}

/** Where the images of a partner are moved to: what came of each association, and how that ended. */
async function openReceiver(aeTitle: string, judge: () => Agreement | Rejection) {
  const received: unknown[] = []
  const over = Promise.withResolvers<string>()
  const listener = createServer((socket) => {
    void acceptAssociation(socket, 60_000, async () => judge()).then(async (association) => {
      if (!association) return
      over.resolve(await takeAll(association, received).catch((cause: Error) => cause.message))
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const { id } = await addPartner(admin, { name: aeTitle, aeTitle, host: '127.0.0.1', port })
  return { id, received, over: over.promise, close: () => listener.close() }
}
async function takeAll(association: Association, received: unknown[]): Promise<string> {
  for (;;) {
    const message = await association.receive()
    if (!message) return 'released'
    const {
      sopClassUID,
      sopInstanceUID,
      messageId: respondedTo,
      originatorTitle,
      originatorMessageId,
    } = message.command
    const { [tag.PatientName]: name } = await readDataset(await readMessage(message), message.context.transferSyntax)
    received.push([sopInstanceUID, name?.Value, originatorTitle, originatorMessageId])
    const answer = { field: commandField.storeRequest | responseBit, sopClassUID, sopInstanceUID, respondedTo }
    await association.send(message.context, { ...answer, status: 0 })
  }
}
const patient = [{ Alphabetic: 'Tester^Tilda' }]
const taking: Agreement = { choose: () => transferSyntax.explicitLittleEndian, roles: [] }

describe('a partner that images are moved to [P51]', () => {
  it('is told who asked for them and by which message, and the line is given back', async () => {
    const receiver = await openReceiver('TAKES', () => taking)
    expect(await move('TAKES')).toEqual([0xff00, 0xff00, 0xff00, 0])
    expect(await receiver.over).toBe('released')
    expect(receiver.received).toEqual([1, 2, 3].map((number) => [`1.2.3.4.${number}`, patient, 'CT_ROOM3', 5]))
    receiver.close()
  })

  it('is cut off after its images have come no more than any that gets none', async () => {
    const receiver = await openReceiver('LATER', () => taking)
    await move('LATER')
    expect((await admin.call(dicomPartner.disable, { id: receiver.id })).status).toBe(200)
    expect(await move('LATER')).toEqual([0xa801])
    expect(receiver.received).toHaveLength(3)
    receiver.close()
  })

  it.each([
    ['rejects the association', 'REJECTS', () => 'callingTitle' as const],
    ['takes none of their classes', 'OTHERS', (): Agreement => ({ choose: () => 'abstractSyntax', roles: [] })],
  ])('gets nothing when it %s, and whoever asked is told', async (_what, title, judge) => {
    const receiver = await openReceiver(title, judge)
    expect((await move(title)).at(-1)).toBe(0xa702)
    expect(receiver.received).toEqual([])
    receiver.close()
  })

  it('gets nothing where nobody listens, and whoever asked is told', async () => {
    const receiver = await openReceiver('SILENT', () => taking)
    receiver.close()
    expect(await move('SILENT')).toEqual([0xa702])
  })

  it('is not called where there is nothing to be sent', async () => {
    const receiver = await openReceiver('IDLE', () => taking)
    expect(await move('IDLE', level('STUDY', uid(tag.StudyInstanceUID, '1.2.404')))).toEqual([0xa702])
    receiver.close()
  })
})

describe('an object that cannot be sent [P20, P51]', () => {
  it('is named where the store has lost it, and the others are sent', async () => {
    jest.spyOn(server.deps.objects, 'read').mockRejectedValueOnce(new Error('lost'))
    expect(await get()).toEqual({
      status: 0xb000,
      stored: ['1.2.3.4.2', '1.2.3.4.3'],
      failedUids: ['1.2.3.4.1'],
    })
  })

  /** The first object breaks off in the middle. */
  function breakOff(): void {
    const { objects } = server.deps
    const read = objects.read.bind(objects)
    jest.spyOn(objects, 'read').mockImplementationOnce(async (key, range) => {
      const whole = await read(key, range)
      return Readable.from(
        (async function* () {
          for await (const piece of whole) yield (piece as Buffer).subarray(0, -20)
          throw new Error('the disk has failed')
        })(),
      )
    })
  }

  it('ends the association where its rest is missing: what comes next would belong to it', async () => {
    breakOff()
    await expect(get()).rejects.toThrow('aborted')
    expect((await get()).stored).toHaveLength(3)
  })

  it('ends the line to its receiver where its rest is missing, and whoever asked is told', async () => {
    const receiver = await openReceiver('BROKEN', () => taking)
    breakOff()
    expect(await move('BROKEN')).toEqual([0xa702])
    expect([await receiver.over, receiver.received]).toEqual(['The association is over (aborted).', []])
    receiver.close()
  })
})

describe('objects are sent [P51]', () => {
  const { implicitLittleEndian } = transferSyntax
  const ofSeries = (number: number, series: string) => ({
    [tag.SOPInstanceUID]: text('UI', `1.2.3.4.${number}`),
    [tag.SeriesInstanceUID]: text('UI', series),
  })
  const keysOf = (series: string) => level('SERIES', uid(tag.SeriesInstanceUID, series))
  async function storeAs(syntax: string, number: number, data: Buffer) {
    const association = await dial(server, { calledTitle: north, classes: [[ctClass, syntax]] })
    expect((await store(association, number, data)).status).toBe(0)
    await association.release()
  }

  it('in explicit little endian where the partner takes nothing else', async () => {
    const elements = slice(ofSeries(20, '1.2.3.20'))
    await storeAs(implicitLittleEndian, 20, datasetBytes(elements, { isExplicit: false, isBigEndian: false }))
    const receiver = await openReceiver('EXPLICIT', () => taking)
    expect(await move('EXPLICIT', keysOf('1.2.3.20'))).toEqual([0xff00, 0])
    expect(receiver.received).toEqual([['1.2.3.4.20', patient, 'CT_ROOM3', 5]])
    receiver.close()
  })

  it('as they are stored where the partner takes that: a film is never taken apart', async () => {
    const film = encapsulated([Buffer.alloc(64, 1)])
    const { [tag.PixelData]: _pixels, ...header } = slice(ofSeries(21, '1.2.3.21'))
    await storeAs('1.2.840.10008.1.2.4.102', 21, Buffer.concat([datasetBytes(header), film]))
    expect(await get(keysOf('1.2.3.21'))).toEqual({ status: 0xa702, stored: [], failedUids: ['1.2.3.4.21'] })
    const choose = ({ transferSyntaxes: [first = ''] }: ProposedContext): string => first
    const receiver = await openReceiver('FILMS', () => ({ choose, roles: [] }))
    expect(await move('FILMS', keysOf('1.2.3.21'))).toEqual([0xff00, 0])
    receiver.close()
  })
})

describe('what a partner is told when it is not let in [P18, P51]', () => {
  it.each([
    ['that it is for a moment, where the database does not answer', new Error('gone'), '(2, 3, 1)'],
    ['that there are too many, where it asks too often', tooManyRequests(1), '(2, 3, 2)'],
  ])('%s', async (_what, cause, codes) => {
    jest.spyOn(server.deps.limits, 'spend').mockRejectedValueOnce(cause)
    await expect(dialGet()).rejects.toThrow(codes)
    await (await dialGet()).release()
  })
})
