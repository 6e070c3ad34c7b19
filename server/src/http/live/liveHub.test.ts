import { randomUUID } from 'node:crypto'
import { businessUser, organization } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { WebSocket } from 'ws'
import { createLocalBus } from '../../db/bus.ts'
import { openLive, type LiveChannel } from '../../testing/live.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { LiveHub, type Channel } from './liveHub.ts'

let server: TestServer
let url: string
const open: LiveChannel[] = []
beforeAll(async () => {
  server = await startServer({ DMP_LIVE_VALIDATE_SECONDS: '1' })
  url = await server.listen()
})
afterEach(() => open.splice(0).forEach((channel) => channel.close()))
afterAll(() => server.close())

const bound = async (who: SignedIn): Promise<LiveChannel> => {
  const channel = await openLive(url, {
    sessionId: randomUUID(),
    clientId: 'dmp-web',
    accessToken: who.tokens.accessToken ?? '',
  })
  open.push(channel)
  expect(await channel.next()).toEqual({ type: 'keepAlive' })
  return channel
}
/** What came until everything is there that was sent before now. */
const soFar = async (channel: LiveChannel): Promise<string[]> => {
  channel.send({ type: 'keepAlive' })
  const types: string[] = []
  for (let frame = await channel.next(); frame.type !== 'keepAlive'; frame = await channel.next())
    types.push(frame.type)
  return types
}

describe('news of people and organizations', () => {
  it('reach the pages of whom they are about, and nobody else [4.15, P11]', async () => {
    const [staff, admin, south, root] = [
      await server.signIn('staff'),
      await server.signIn('admin'),
      await server.signIn('admin@south.example'),
      await server.signIn('super_admin'),
    ]
    const channels = [await bound(staff), await bound(admin), await bound(south)]
    await staff.call(businessUser.updateProfile, {
      civility: 'Dr',
      firstName: 'Noa',
      lastName: 'Weber',
      mobile: null,
      landline: null,
      fax: null,
    })
    expect(await Promise.all(channels.map(soFar))).toEqual([['profile'], [], []])
    await root.call(organization.update, { id: northClinic.id, updatedOrganizationName: 'Far-North-Clinic' })
    expect(await Promise.all(channels.map(soFar))).toEqual([['profile'], ['profile'], []])
  })

  it('of inboxes reach a person, an organization or the provider, and say nothing else [P47]', async () => {
    const [staff, admin, root] = [
      await server.signIn('staff'),
      await server.signIn('admin'),
      await server.signIn('super_admin'),
    ]
    const channels = [await bound(staff), await bound(admin), await bound(root)]
    const hear = async (userId: string | null, organizationId: string | null) => {
      server.deps.bus.publish({ kind: 'inboxChanged', userId, organizationId })
      return Promise.all(channels.map(soFar))
    }
    expect(await hear(staff.userId, null)).toEqual([['inbox'], [], []])
    expect(await hear(null, northClinic.id)).toEqual([['inbox'], ['inbox'], []])
    expect(await hear(null, null)).toEqual([[], [], ['inbox']])
  })
})

describe('lines', () => {
  it('of a session that stay open hear on when one of them is closed [4.15, P11]', async () => {
    const staff = await server.signIn('staff')
    const [one, two, three] = [await bound(staff), await bound(staff), await bound(staff)]
    one.close()
    await one.closed
    // The server hears of the end of one line before anything comes on another.
    await soFar(three)
    two.send({ type: 'idleTimeout' })
    expect(await three.next()).toEqual({ type: 'idleTimeout' })
  })

  it('on which nobody answers any more are ended [P11]', async () => {
    const { tokens } = await server.signIn('staff')
    const deaf = new WebSocket(
      `${url.replace('http', 'ws')}/live?${new URLSearchParams({ sessionId: randomUUID(), clientId: 'dmp-web', accessToken: tokens.accessToken ?? '' })}`,
      { autoPong: false },
    )
    expect(await new Promise((closed) => deaf.on('close', (code) => closed(code)))).toBe(1006)
    expect(deaf.extensions).toBe('')
  })

  it('that end before they say whose they are are forgotten, and those that stay so are ended [P11]', () => {
    jest.useFakeTimers()
    const hub = new LiveHub(createLocalBus(), 60, { isValid: async () => true, renewed: async () => undefined })
    const line = () => {
      const socket = { close: jest.fn(), ping: () => undefined, terminate: () => undefined }
      return { id: randomUUID(), countedAs: '10.0.0.1', since: performance.now(), isAlive: true, socket }
    }
    const [gone, silent, named] = [line(), line(), line()]
    for (const each of [gone, silent, named]) hub.add(each as unknown as Channel)
    hub.remove(gone as unknown as Channel)
    hub.bind(named as unknown as Channel, { sessionId: 's', userId: 'u', organizationId: 'o' })
    jest.advanceTimersByTime(6_500)
    expect([gone, silent, named].map(({ socket }) => socket.close.mock.calls[0])).toEqual([
      undefined,
      [1008, 'not authenticated in time'],
      undefined,
    ])
    hub.close()
    jest.useRealTimers()
  })

  it('are counted by address for as long as they are open [P11, P19]', () => {
    const hub = new LiveHub(createLocalBus(), 60, { isValid: async () => true, renewed: async () => undefined })
    const line = (id: string, countedAs: string) =>
      ({ id, countedAs, socket: { close: () => undefined, terminate: () => undefined } }) as unknown as Channel
    const [one, two, other] = [line('1', '10.0.0.1'), line('2', '10.0.0.1'), line('3', '10.0.0.2')]
    const counts = () => [hub.countChannels('10.0.0.1'), hub.countChannels('10.0.0.2'), hub.size]
    for (const each of [one, two, other]) hub.add(each)
    expect(counts()).toEqual([2, 1, 3])
    hub.remove(one)
    hub.remove(one)
    expect(counts()).toEqual([1, 1, 2])
    hub.remove(two)
    expect(counts()).toEqual([0, 1, 1])
    hub.close()
  })

  it.each([
    [2, 1],
    [3000, 1500],
    [30_000, 5000],
  ])(
    'are told to come back when the server stops: %d of them within %d ms, one after the other, and dead ones are cut [P40]',
    (count, withinMs) => {
      jest.useFakeTimers()
      const hub = new LiveHub(createLocalBus(), 60, { isValid: async () => true, renewed: async () => undefined })
      const told = jest.fn()
      const cut = jest.fn()
      for (let id = 0; id < count; id += 1)
        hub.add({
          id: String(id),
          countedAs: '10.0.0.1',
          socket: { close: told, terminate: cut },
        } as unknown as Channel)
      hub.close()
      jest.advanceTimersByTime(withinMs / 2)
      expect(told.mock.calls.length < count || count === 2).toBe(true)
      jest.advanceTimersByTime(withinMs / 2 + 1)
      expect(told.mock.calls).toEqual(Array.from({ length: count }, () => [1012, 'restart']))
      expect(cut).not.toHaveBeenCalled()
      jest.advanceTimersByTime(2000)
      expect(cut).toHaveBeenCalledTimes(count)
      jest.useRealTimers()
    },
  )
})
