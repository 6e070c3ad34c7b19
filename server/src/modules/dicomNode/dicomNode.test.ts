import { once } from 'node:events'
import { dicomPartner, organization } from '@dmp/contract'
import { transferSyntax } from '@dmp/dicom'
import { commandField, dataHead, requestAssociation, writeCommand } from '@dmp/dimse'
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
  studyFind,
  titleOf,
  until,
  verificationClass,
} from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let north: string

beforeEach(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  ;[admin, south] = [await server.signIn('admin'), await server.signIn('admin@south.example')]
  north = await titleOf(admin)
})
afterEach(() => server.close())

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

  it('lets a refused caller in once a partner gets its title, and then lists it no longer', async () => {
    const { id } = await addPartner(admin, { aeTitle: 'MR1' })
    for (const callingTitle of ['MR2', 'MR3'])
      await expect(dial(server, { calledTitle: north, callingTitle })).rejects.toThrow('(1, 1, 3)')
    const titles = async () => (await admin.call(dicomPartner.listCallers, {})).data.map(({ aeTitle }) => aeTitle)
    await until(async () => (await titles()).length === 2)
    expect((await admin.call(dicomPartner.update, { id, ...aDraft({ aeTitle: 'MR2' }) })).status).toBe(200)
    await until(async () => (await titles()).join() === 'MR3')
    await (await dial(server, { calledTitle: north, callingTitle: 'MR2' })).release()
  })

  it('knows a partner that was deleted no longer, however often: it is listed once, and leads to none', async () => {
    for (let times = 1; times <= 2; times += 1) {
      const { id } = await addPartner(admin, { aeTitle: 'MR1' })
      expect((await admin.call(dicomPartner.remove, { id })).status).toBe(200)
    }
    await expect(dial(server, { calledTitle: north, callingTitle: 'MR1' })).rejects.toThrow('(1, 1, 3)')
    const callers = async () => (await admin.call(dicomPartner.listCallers, {})).data
    await until(async () => (await callers()).length > 0)
    expect(await callers()).toMatchObject([{ aeTitle: 'MR1', reason: 'Unknown', partnerId: null }])
  })

  it('knows devices and callers of each organization by themselves, though both have the same titles [P02]', async () => {
    const callers = async (who: SignedIn) =>
      (await who.call(dicomPartner.listCallers, {})).data
        .map(({ aeTitle, times, partnerId }) => [aeTitle, times, partnerId])
        .toSorted()
    const partners = async (who: SignedIn) =>
      (await who.call(dicomPartner.list, { sort: 'name' })).data.map(({ id, aeTitle }) => [aeTitle, id])
    const removed = await addPartner(admin, { aeTitle: 'MR2', name: 'MR' })
    expect((await admin.call(dicomPartner.remove, { id: removed.id })).status).toBe(200)
    const calls = [
      [north, 'MR1'],
      [north, 'MR2'],
      [await titleOf(south), 'MR1'],
    ] as const
    for (const [calledTitle, callingTitle] of calls)
      await expect(dial(server, { calledTitle, callingTitle })).rejects.toThrow('(1, 1, 3)')
    await until(async () => [...(await callers(admin)), ...(await callers(south))].length === calls.length)
    // Name and title are free again here, and are taken nowhere else.
    const own = await addPartner(admin, { aeTitle: 'MR1', name: 'MR' })
    expect(await callers(south)).toEqual([['MR1', 1, null]])
    const theirs = await addPartner(south, { aeTitle: 'MR1', name: 'MR' })
    const other = await addPartner(south, { aeTitle: 'MR2', name: 'MR in the cellar' })
    expect([await callers(admin), await callers(south)]).toEqual([[['MR2', 1, null]], []])
    expect(await partners(admin)).toEqual([['MR1', own.id]])
    expect(await partners(south)).toEqual([
      ['MR1', theirs.id],
      ['MR2', other.id],
    ])
    for (const { id } of [removed, theirs]) expect((await admin.call(dicomPartner.get, { id })).status).toBe(404)
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
    const { id: partnerId } = await addPartner(admin, more)
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(1, 1, 3)')
    const caller = async () => (await admin.call(dicomPartner.listCallers, {})).data[0]
    await until(async () => (await caller())?.reason === reason)
    expect(await caller()).toMatchObject({ partnerId })
  })

  it('takes no partner that anybody could be who knows its titles', async () => {
    for (const addresses of [[], ['0.0.0.0/0'], ['192.0.2.1', '::/0']]) {
      const reply = await admin.call(dicomPartner.add, aDraft({ addresses }))
      expect([addresses, reply.status, reply.fields?.[0]?.path]).toEqual([addresses, 400, 'addresses'])
    }
  })

  it('keeps refused callers of one network beside those of a peer with many titles [P18, P63]', async () => {
    const organizationId = await server.organizationOf(admin)
    const { noteCaller } = await import('./callers.repository.ts')
    const note = (aeTitle: string, address: string) =>
      noteCaller(server.deps.db, { organizationId, aeTitle, address, reason: 'Unknown', fingerprint: null }, 1)
    await note('HONEST', '192.0.2.7')
    for (let number = 0; number < 60; number += 1) await note(`FLOOD${number}`, `2001:db8::${number.toString(16)}`)
    const titles = (await admin.call(dicomPartner.listCallers, {})).data.map(({ aeTitle }) => aeTitle)
    expect(titles).toHaveLength(50)
    expect(titles).toContain('HONEST')
    await server.deps.db.deleteFrom('dicom_callers').execute()
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

  it('lets nobody in who is disabled while its proposal is judged', async () => {
    const { id } = await addPartner(admin)
    const { limits } = server.deps
    const spend = limits.spend.bind(limits)
    const judging = jest.spyOn(limits, 'spend').mockImplementation(async (call, countedAs, viewer) => {
      await spend(call, countedAs, viewer)
      // After the partner was looked up.
      if (viewer === id) await admin.call(dicomPartner.disable, { id })
    })
    await expect(dial(server, { calledTitle: north })).rejects.toThrow('(1, 1, 3)')
    judging.mockRestore()
  })

  it('tells that a partner is disabled with the commit, which a server may not survive', async () => {
    const { id } = await addPartner(admin)
    const announced = jest.spyOn(server.deps.bus, 'announce')
    await admin.call(dicomPartner.disable, { id })
    expect(announced.mock.calls.map(([, news]) => news.kind)).toContain('dicomPartnersChanged')
    announced.mockRestore()
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

  it('takes back a service of a partner that is connected, which may be using it', async () => {
    const { id } = await addPartner(admin)
    const association = await dial(server, { calledTitle: north })
    await admin.call(dicomPartner.update, { id, ...aDraft({ services: ['Query'] }) })
    await expect(association.receive()).rejects.toThrow('over')
    expect(await listStored(server, admin)).toEqual([])
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

  it('aborts on a command of fragments that hold nothing and never end', async () => {
    await addPartner(admin)
    const socket = await openLine(server)
    const contexts = [
      { id: 1, abstractSyntax: verificationClass, transferSyntaxes: [transferSyntax.explicitLittleEndian] },
    ]
    const proposal = { calledTitle: north, callingTitle: 'CT_ROOM3', contexts, roles: [] }
    const association = await requestAssociation(socket, 10_000, proposal)
    const empty = dataHead({ contextId: 1, isCommand: true, isLast: false }, 0)
    socket.write(Buffer.concat(Array.from({ length: 5000 }, () => empty)))
    await expect(association.receive()).rejects.toThrow('aborted')
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
