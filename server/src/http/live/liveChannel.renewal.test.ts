import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { account } from '@dmp/contract'
import { openLive, type LiveChannel } from '../../testing/live.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
const open: LiveChannel[] = []

beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
})
afterEach(() => open.splice(0).forEach((channel) => channel.close()))
afterAll(() => server.close())

/** Longer than the second after which a channel that has not shown the new token is told. */
const passOnMs = 1600

async function openTab(accessToken: string): Promise<LiveChannel> {
  const channel = await openLive(url, { sessionId: randomUUID(), clientId: 'dmp-web' }, {})
  open.push(channel)
  channel.send({ type: 'renewToken', accessToken })
  expect(await channel.next()).toEqual({ type: 'keepAlive' })
  return channel
}

/** The end of a token is a whole second: the next one ends later only when a second has passed. */
async function renew({ tokens }: SignedIn) {
  await pause(1100)
  const { data } = await server.call(account.renewToken, {
    clientId: 'dmp-web',
    refreshToken: tokens.refreshToken ?? '',
  })
  return { tokens: data, accessToken: data.accessToken ?? '' }
}

describe('a renewal', () => {
  it('is told to a channel that has not shown the new token, once [4.12, 4.14]', async () => {
    const staff = await server.signIn('staff')
    const [one, two] = [await openTab(staff.tokens.accessToken ?? ''), await openTab(staff.tokens.accessToken ?? '')]
    const { accessToken } = await renew(staff)
    one.send({ type: 'renewToken', accessToken })
    expect(await two.next()).toEqual({ type: 'renewToken' })
    // The page of another tab shows what it found, and the token is shown again after a broken line.
    two.send({ type: 'renewToken', accessToken })
    one.send({ type: 'renewToken', accessToken })
    await pause(passOnMs)
    expect([one.frames, two.frames]).toEqual([[], []])
  })

  it('is not told to tabs that learned of it by themselves, so pages that renew when told end with one [4.12, 9.06]', async () => {
    const staff = await server.signIn('staff')
    const tabs = await Promise.all(Array.from({ length: 5 }, () => openTab(staff.tokens.accessToken ?? '')))
    const { accessToken } = await renew(staff)
    for (const tab of tabs) tab.send({ type: 'renewToken', accessToken })
    await pause(passOnMs)
    expect(tabs.map(({ frames }) => frames)).toEqual(tabs.map(() => []))
  })
})
