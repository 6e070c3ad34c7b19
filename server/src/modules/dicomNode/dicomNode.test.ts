import { once } from 'node:events'
import { audit, dicomPartner, organization } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { text } from '../../dicom/testing/dicomFile.ts'
import { dataHead } from '../../outside/dimse/pdus.ts'
import { commandField, writeCommand } from '../../outside/dimse/commands.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import {
  aDraft,
  addPartner,
  contextOf,
  ctClass,
  dial,
  dicomVariables,
  echo,
  listStored,
  openLine,
  readAll,
  sliceBytes,
  store,
  studyFind,
  titleOf,
} from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let north: string

beforeEach(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  north = await titleOf(admin)
})
afterEach(() => server.close())

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((later) => setTimeout(later, 20))
}

describe('who is let in [P51]', () => {
  it('answers a partner, and says when it came last', async () => {
    const { id } = await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    expect((await echo(association)).status).toBe(0)
    await association.release()
    await until(async () => (await admin.call(dicomPartner.get, { id })).data.lastSeenAddress === '127.0.0.1')
  })

  it('refuses an unknown partner, lists it to its organization alone, and lets it in once it is added', async () => {
    await expect(dial(server, { calledTitle: north, callingTitle: 'MR1' })).rejects.toThrow('(1, 1, 3)')
    const callers = async (who: SignedIn) => (await who.call(dicomPartner.listCallers, {})).data
    await until(async () => (await callers(admin)).length > 0)
    expect(await callers(admin)).toMatchObject([{ aeTitle: 'MR1', address: '127.0.0.1', reason: 'Unknown', times: 1 }])
    expect(await callers(south)).toEqual([])
    await addPartner(admin, { aeTitle: 'MR1' })
    expect(await callers(admin)).toEqual([])
    await (await dial(server, { calledTitle: north, callingTitle: 'MR1' })).release()
  })

  it.each([
    ['an unknown called title', { calledTitle: 'DMP' }, '(1, 1, 7)'],
    ['a title of no letters', { callingTitle: ' ' }, '(1, 1, 3)'],
    ['a title in another case', { callingTitle: 'ct_room3' }, '(1, 1, 3)'],
  ])('refuses %s', async (_what, titles, codes) => {
    await addPartner(admin)
    await expect(dial(server, { calledTitle: north, ...titles })).rejects.toThrow(codes)
  })

  it('lets a partner into no other organization', async () => {
    await addPartner(admin)
    await expect(dial(server, { calledTitle: await titleOf(south) })).rejects.toThrow('(1, 1, 3)')
  })

  it.each([
    ['from another address', { addresses: ['192.0.2.0/24'] }, 'WrongAddress'],
    ['without its certificate', { fingerprint: 'AB'.repeat(32) }, 'WrongCertificate'],
  ])('refuses a partner %s, and says why', async (_what, more, reason) => {
    await addPartner(admin, more)
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(1, 1, 3)')
    await until(async () => (await admin.call(dicomPartner.listCallers, {})).data[0]?.reason === reason)
  })

  it('takes no partner that anybody could be who knows its titles', async () => {
    const reply = await admin.call(dicomPartner.add, aDraft({ addresses: [] }))
    expect([reply.status, reply.fields?.[0]?.path]).toEqual([400, 'addresses'])
  })

  it('keeps a bounded number of refused callers', async () => {
    const id = await server.organizationOf(admin)
    const { noteCaller } = await import('./callers.repository.ts')
    for (let number = 0; number < 60; number += 1)
      await noteCaller(
        server.deps.db,
        { organizationId: id, aeTitle: `X${number}`, address: '192.0.2.1', reason: 'Unknown', fingerprint: null },
        1,
      )
    expect((await admin.call(dicomPartner.listCallers, {})).data).toHaveLength(50)
  })

  it('cuts a partner off that is disabled, and refuses it until it is enabled', async () => {
    const { id } = await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await echo(association)
    expect((await admin.call(dicomPartner.disable, { id })).data.status).toBe('Disabled')
    await expect(association.receive()).rejects.toThrow('aborted')
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(1, 1, 3)')
    await admin.call(dicomPartner.enable, { id })
    await (await dial(server, { calledTitle: north })).release()
  })

  it('cuts the partners of an organization off that is deactivated', async () => {
    await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    const provider = await server.signIn('super_admin')
    const reply = await provider.call(organization.deactivate, { id: await server.organizationOf(admin) })
    expect(reply.status).toBe(200)
    await expect(association.receive()).rejects.toThrow('aborted')
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(1, 1, 3)')
  })

  it('takes back a service of a partner that is connected', async () => {
    const { id } = await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await admin.call(dicomPartner.update, { id, ...aDraft({ services: ['Query'] }) })
    await until(async () => (await store(association, 1)).status === 0x0124)
    expect(await listStored(server, admin)).toEqual([])
    association.abort()
    await expect(dial(server, { calledTitle: north, classes: [ctClass, studyFind] })).resolves.toMatchObject({
      contexts: new Map([[3, expect.objectContaining({ abstractSyntax: studyFind })]]),
    })
  })

  it('opens no more associations than a partner may have', async () => {
    await server.close()
    server = await startServer({ ...dicomVariables, DMP_DICOM_ASSOCIATIONS: '8' })
    await server.app.ready()
    admin = await server.signIn('admin')
    await addPartner(admin)
    const open = [await dial(server, { calledTitle: north }), await dial(server, { calledTitle: north })]
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(2, 3, 2)')
    await open[0]?.release()
    await until(async () =>
      dial(server, { calledTitle: north }).then(
        (more) => more.release().then(() => true),
        () => false,
      ),
    )
  })
})

describe('storing [P51]', () => {
  beforeEach(async () => {
    await addPartner(admin)
  })

  it('answers when the object is there, in the name of the partner', async () => {
    const association = await dial(server, { calledTitle: north })
    expect(await store(association, 1)).toMatchObject({ status: 0, sopInstanceUID: '1.2.3.4.1' })
    expect(await listStored(server, admin)).toEqual(['1.2.3.4.1'])
    expect(await listStored(server, south)).toEqual([])
    expect(await server.heldObjects()).toEqual(['1.2.3.4.1'])
    const { data } = await admin.call(audit.list, { event: 'ScansUploaded' })
    expect(data[0]).toMatchObject({ actor: 'CT in room 3 (DICOM)', address: '127.0.0.1' })
    await association.release()
  })

  it('stores what two associations send at once one time, and answers both', async () => {
    const [first, second] = [await dial(server, { calledTitle: north }), await dial(server, { calledTitle: north })]
    const answers = await Promise.all([store(first, 1), store(second, 1)])
    expect(answers.map(({ status }) => status)).toEqual([0, 0])
    expect(await server.heldObjects()).toEqual(['1.2.3.4.1'])
  })

  it('keeps nothing of an object that breaks off', async () => {
    const association = await dial(server, { calledTitle: north })
    const bytes = sliceBytes(1)
    async function* half() {
      yield bytes.subarray(0, bytes.length / 2)
      association.abort()
    }
    await expect(store(association, 1, half())).rejects.toThrow('over')
    await until(async () => server.dicomNode.size === 0)
    expect(await listStored(server, admin)).toEqual([])
    const again = await dial(server, { calledTitle: north })
    expect((await store(again, 2)).status).toBe(0)
    expect(await server.heldObjects()).toEqual(['1.2.3.4.2'])
  })

  it.each([
    ['of another number than its command', 0xa900, () => sliceBytes(2)],
    ['of another class', 0xa900, () => sliceBytes(1, { [tag.SOPClassUID]: text('UI', '1.2.840.10008.5.1.4.1.1.4') })],
    ['of no sense', 0xc000, () => Buffer.from('nonsense that is no data set')],
    ['without a study', 0xa900, () => sliceBytes(1, { [tag.StudyInstanceUID]: text('UI', '') })],
  ])('refuses an object %s, and takes the next one', async (_what, status, make) => {
    const association = await dial(server, { calledTitle: north })
    expect((await store(association, 1, make())).status).toBe(status)
    expect((await store(association, 3)).status).toBe(0)
    expect(await server.heldObjects()).toEqual(['1.2.3.4.3'])
  })

  it('refuses another image of the same number, and what is longer than may be stored', async () => {
    await server.close()
    server = await startServer({ ...dicomVariables, DMP_UPLOAD_MAX_MB: '1' })
    await server.app.ready()
    admin = await server.signIn('admin')
    await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await store(association, 1)
    const other = sliceBytes(1, { [tag.StudyDescription]: text('LO', 'Another') })
    expect((await store(association, 1, other)).status).toBe(0x0111)
    const long = sliceBytes(2, { [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(2 ** 21) } })
    expect((await store(association, 2, long)).status).toBe(0xa700)
    expect((await store(association, 3)).status).toBe(0)
  })
})

describe('broken protocol [P51]', () => {
  const abortOf = (bytes: Buffer): number[] => [...bytes.subarray(0, 10)]

  it.each([
    ['no PDU', Buffer.from('GET / HTTP/1.1\r\n\r\n'), [7, 0, 0, 0, 0, 4, 0, 0, 2, 1]],
    ['a PDU of gigabytes', Buffer.from([1, 0, 0xff, 0xff, 0xff, 0xff]), [7, 0, 0, 0, 0, 4, 0, 0, 2, 6]],
    [
      'data before a proposal',
      Buffer.concat([dataHead({ contextId: 1, isCommand: true, isLast: true }, 2), Buffer.alloc(2)]),
      [7, 0, 0, 0, 0, 4, 0, 0, 2, 2],
    ],
    ['a proposal that is cut off', Buffer.from([1, 0, 0, 0, 0, 4, 0, 1, 0, 0]), [7, 0, 0, 0, 0, 4, 0, 0, 2, 6]],
  ])('aborts on %s', async (_what, bytes, answer) => {
    const socket = await openLine(server)
    socket.write(bytes)
    expect(abortOf(await readAll(socket))).toEqual(answer)
  })

  it('aborts on a context that nobody agreed on, and on a data set without a command', async () => {
    await addPartner(admin)
    for (const context of [{ id: 99 }, { id: 3 }]) {
      const association = await dial(server, { calledTitle: north })
      const own = { ...contextOf(association, ctClass), ...context }
      if (context.id === 99) await association.send(own, { field: commandField.echoRequest, messageId: 1 })
      else await association.send(own, { field: commandField.cancelRequest | 0x8000, messageId: 1 }, Buffer.alloc(2))
      await expect(association.receive()).rejects.toThrow('aborted')
    }
    expect((await echo(await dial(server, { calledTitle: north }))).status).toBe(0)
  })

  it('goes on after a command that it does not know', async () => {
    await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    const answer = await association.request(contextOf(association, ctClass), { field: 0x0150, sopClassUID: ctClass })
    expect(answer.status).toBe(0x0211)
    expect((await echo(association)).status).toBe(0)
  })

  it('gives up a line on which nothing comes', async () => {
    await server.close()
    server = await startServer({ ...dicomVariables, DMP_DICOM_IDLE_SECONDS: '0.3' })
    await server.app.ready()
    admin = await server.signIn('admin')
    await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await expect(association.receive()).rejects.toThrow('over')
    const socket = await openLine(server)
    socket.write(writeCommand({ field: 1 }, false).subarray(0, 3))
    await once(socket, 'close')
  })
})
