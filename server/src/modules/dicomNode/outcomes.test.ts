import type { ServiceName } from '@dmp/contract/dicomPartner'
import { tag, transferSyntax } from '@dmp/dicom'
import { commandField, responseBit, type Association, type Command } from '@dmp/dimse'
import { Busy, Refusal, tooManyRequests } from '../../core/errors.ts'
import { text } from '../../dicom/testing/dicomFile.ts'
import { readDataset } from '../../dicom/readDataset.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { level, readMessage, uid } from './askInTests.ts'
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
let north: string
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  north = await titleOf(admin)
  await addPartner(admin)
})
afterAll(() => server.close())

describe('what a partner is told of a fault [P51]', () => {
  it.each([
    ['a store that has no room', new ObjectStoreError('FULL'), 0xa700, 'The store has no room now.'],
    [
      'a full disk',
      Object.assign(new Error('ENOSPC: /secret'), { code: 'ENOSPC' }),
      0xa700,
      'The disk of the server is full.',
    ],
    ['too much at once', new Busy('Own words.', 1, true), 0xa700, 'Too much is under way. Try again.'],
    ['too many requests', tooManyRequests(1), 0xa700, tooManyRequests(1).message],
    ['a server that is not ready', new Refusal(503, 'NOT_READY', 'Not yet.'), 0xa700, 'Not yet.'],
    ['what is wrong with the request', new Refusal(400, 'INVALID', 'No.'), 0xa900, 'No.'],
    ['what it may not do', new Refusal(403, 'NOT_ALLOWED', 'Not you.'), 0x0124, 'Not you.'],
    ['what nobody foresaw', new Error('secret'), 0x0110, 'The server failed. Try again, or tell its administrator.'],
  ])('is told of %s by its status, and the next object is taken', async (_what, cause, status, comment) => {
    const association = await dial(server, { calledTitle: north })
    const before = await listStored(server, admin)
    jest.spyOn(server.deps.disk, 'assertRoom').mockRejectedValueOnce(cause)
    const answer = await store(association, 99)
    expect([answer.status, answer.comment]).toEqual([status, comment])
    expect(await listStored(server, admin)).toEqual(before)
    expect((await store(association, 1)).status).toBe(0)
    await association.release()
  })
})

describe('what a partner is told of what it fetched [P51]', () => {
  const series = '1.2.3.70'
  const roles = [{ abstractSyntax: ctClass, isUser: false, isProvider: true }]
  const stored = [71, 72, 73].map((number) => `1.2.3.4.${number}`)

  beforeAll(async () => {
    const association = await dial(server, { calledTitle: north })
    for (const number of [71, 72, 73]) {
      const bytes = sliceBytes(number, { [tag.SeriesInstanceUID]: text('UI', series) })
      expect((await store(association, number, bytes)).status).toBe(0)
    }
    await association.release()
  })

  /** The last answer to a C-GET of the series, whose images the partner takes with these statuses. */
  async function fetch(statuses: readonly number[], cancelAfter?: number) {
    const association = await dial(server, { calledTitle: north, classes: [studyGet, ctClass], roles })
    const keys = { ...uid(tag.StudyInstanceUID, '1.2.3'), ...uid(tag.SeriesInstanceUID, series) }
    const data = writeDataset(level('SERIES', keys), { isExplicit: true, isBigEndian: false })
    const command = { field: commandField.getRequest, sopClassUID: studyGet, messageId: 5, priority: 0 }
    await association.send(contextOf(association, studyGet), command, data)
    let taken = 0
    for (;;) {
      const message = await association.receive()
      if (!message) throw new Error('The association was released.')
      const bytes = await readMessage(message)
      if (message.command.field === commandField.storeRequest) {
        const cancels = taken === cancelAfter
        if (cancels) await cancel(association)
        await answerStore(association, message, statuses[taken] ?? 0)
        taken += 1
      } else if (message.command.status !== 0xff00) {
        const dataset = await readDataset(bytes, transferSyntax.explicitLittleEndian)
        association.abort()
        const { status, completed, failed, warnings, remaining } = message.command
        const failedUids = dataset[tag.FailedSOPInstanceUIDList]?.Value ?? []
        return { status, completed, failed, warnings, remaining, failedUids }
      }
    }
  }

  const cancel = (association: Association): Promise<void> =>
    association.send(contextOf(association, studyGet), { field: commandField.cancelRequest, respondedTo: 5 })

  const answerStore = (
    association: Association,
    { context, command }: { context: Parameters<Association['send']>[0]; command: Command },
    status: number,
  ): Promise<void> =>
    association.send(context, {
      field: commandField.storeRequest | responseBit,
      sopClassUID: command.sopClassUID,
      sopInstanceUID: command.sopInstanceUID,
      respondedTo: command.messageId,
      status,
    })

  it.each([
    ['all', [0, 0, 0], 0, [3, 0, 0], []],
    ['all, some with a warning', [0, 0xb000, 0xb007], 0, [1, 0, 2], []],
    ['some', [0, 0xa700, 0xc000], 0xb000, [1, 2, 0], stored.slice(1)],
    ['one with a warning', [0xa700, 0xb000, 0xc000], 0xb000, [0, 2, 1], [stored[0], stored[2]]],
    ['none', [0xa700, 0xa700, 0x0110], 0xa702, [0, 3, 0], stored],
  ])('counts what it took: %s', async (_what, statuses, status, [completed, failed, warnings], failedUids) => {
    expect(await fetch(statuses)).toEqual({ status, completed, failed, warnings, remaining: undefined, failedUids })
  })

  it('is how far it came when it takes its request back', async () => {
    expect(await fetch([0, 0xa700, 0], 1)).toEqual({
      status: 0xfe00,
      completed: 1,
      failed: 1,
      warnings: 0,
      remaining: 1,
      failedUids: [stored[1]],
    })
  })
})

describe('what a partner may not do [P01, P51]', () => {
  const commitment = '1.2.840.10008.1.20.1'
  it.each<[ServiceName, readonly string[]]>([
    ['Store', [ctClass, commitment]],
    ['Query', [studyFind]],
    ['Retrieve', [studyGet, studyMove]],
  ])('is not agreed to without the service %s', async (service, classes) => {
    const others = (['Store', 'Query', 'Retrieve'] as const).filter((other) => other !== service)
    const callingTitle = `NO_${service.toUpperCase()}`
    await addPartner(admin, { name: callingTitle, aeTitle: callingTitle, services: others })
    const all = [ctClass, commitment, studyFind, studyGet, studyMove]
    const association = await dial(server, { calledTitle: north, callingTitle, classes: all })
    const agreed = new Set([...association.contexts.values()].map(({ abstractSyntax }) => abstractSyntax))
    expect(agreed).toEqual(new Set(all.filter((each) => !classes.includes(each))))
    await association.release()
  })
})
