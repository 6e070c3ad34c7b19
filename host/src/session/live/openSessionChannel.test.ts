import * as account from '@dmp/contract/account'
import { aUser } from '@dmp/contract/examples'
import { sendApplicationError } from '@dmp/contract/email'
import { closeCodes } from '@dmp/contract/live'
import { session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import { waitFor } from '@testing-library/react'
import { lastSocket, placeFakeSocket } from '../../testing/FakeSocket.ts'
import { openSessionChannel } from './openSessionChannel.ts'

const { userId } = someTokens()
const renewed = {
  accessToken: 'renewed',
  refreshToken: 'next',
  idToken: 'i',
  challengeName: null,
  userId,
  session: null,
  expiresIn: 900,
  expireDate: null,
}

const minute = 60_000
const pass = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms)
afterEach(() => {
  jest.restoreAllMocks()
  localStorage.clear()
})

function open(renewal: object = renewed) {
  placeFakeSocket()
  const { apiRoot } = placeSettings()
  const { made } = serve(
    [
      answer(account.profile, aUser('admin')),
      answer(account.renewToken, () => renewal as typeof renewed),
      answer(account.validateToken, null),
      answer(sendApplicationError, null),
      answer(account.logout, null),
    ],
    apiRoot,
  )
  signInAs('staff')
  const client = openSessionChannel('s')
  lastSocket().open()
  const asked = () => made.map(({ endpoint }) => endpoint.name)
  return { client, asked, said: () => lastSocket().sent.slice(1) }
}

describe('what the live channel says becomes the state of the session', () => {
  it('a changed policy or role is fetched at once, and nothing else is [4.14]', async () => {
    const { client, asked } = open()
    lastSocket().say({ type: 'profile' })
    await waitFor(() => expect(session.get().user?.role).toBe('admin'))
    expect(asked()).toEqual(['GET /account/profile'])
    client.close()
  })

  it('idling that the server saw opens the warning, with its own words [2.40, 4.14]', () => {
    const { client } = open()
    lastSocket().say({ type: 'idleTimeout' })
    expect(session.get().idle).toMatchObject({ state: 'warning', isFromLive: true })
    client.close()
  })

  it.each([
    ['a message', { type: 'inbox' }],
    ['a changed policy', { type: 'profile' }],
  ] as const)('%s asks for nothing once the token has ended [4.14]', async (_what, frame) => {
    const { client, asked } = open()
    pass(16 * minute)
    lastSocket().say(frame)
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked()).toEqual([])
    client.close()
  })

  it('a channel that fails has the token looked at, and an ended one is not sent for that [7.40, 7.41]', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const { asked } = open()
    lastSocket().drop(closeCodes.refused)
    await waitFor(() => expect(asked()).toContain('GET /account/validateToken'))
    const later = open()
    pass(16 * minute)
    lastSocket().drop(closeCodes.refused)
    await new Promise((resolve) => setTimeout(resolve))
    expect(later.asked()).not.toContain('GET /account/validateToken')
  })

  it('told of a renewal, a tab whose token lasts asks nothing and tells nobody [4.12, 4.14]', async () => {
    const { client, asked, said } = open()
    for (let times = 0; times < 5; times += 1) lastSocket().say({ type: 'renewToken' })
    lastSocket().say({ type: 'profile' })
    await waitFor(() => expect(session.get().user?.role).toBe('admin'))
    expect(asked()).toEqual(['GET /account/profile'])
    expect(said()).toEqual([])
    client.close()
  })

  it('told of a renewal, a tab takes the token that the other one stored [4.12, 4.14]', async () => {
    const { client, asked } = open()
    pass(12.5 * minute)
    const later = new Date(Date.now() + 15 * minute).toISOString()
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'of-the-other-tab', expireDate: later })))
    lastSocket().say({ type: 'renewToken' })
    await waitFor(() => expect(session.get().tokens?.accessToken).toBe('of-the-other-tab'))
    expect(asked()).toEqual([])
    client.close()
  })

  it('told of a renewal that it cannot find, a tab whose token is about to end renews it [4.12, 4.14]', async () => {
    const { client, asked } = open()
    pass(12.5 * minute)
    lastSocket().say({ type: 'renewToken' })
    await waitFor(() => expect(session.get().tokens?.accessToken).toBe('renewed'))
    expect(asked()).toEqual(['POST /account/renewToken'])
    client.close()
  })
})
