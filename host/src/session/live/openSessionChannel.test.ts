import * as account from '@dmp/contract/account'
import { aUser } from '@dmp/contract/examples'
import { session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import { waitFor } from '@testing-library/react'
import { lastSocket, placeFakeSocket } from '../../testing/FakeSocket.ts'
import { openSessionChannel } from './openSessionChannel.ts'

const { userId, accessToken } = someTokens()
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

function open(renewal: object = renewed) {
  placeFakeSocket()
  const { apiRoot } = placeSettings()
  const { made } = serve(
    [answer(account.profile, aUser('admin')), answer(account.renewToken, () => renewal as typeof renewed)],
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
    lastSocket().say({ type: 'renewToken' })
    await waitFor(() => expect(session.get().tokens?.accessToken).toBe('renewed'))
    expect(asked()).toEqual(['GET /account/profile', 'POST /account/renewToken'])
    client.close()
  })

  it('a token that is the same after the renewal is said again; a new one is said by whoever follows the session [4.14, 7.41]', async () => {
    const { client, asked, said } = open({ ...renewed, accessToken })
    lastSocket().say({ type: 'renewToken' })
    await waitFor(() => expect(said()).toEqual([{ type: 'renewToken', accessToken }]))
    expect(asked()).toEqual(['POST /account/renewToken'])
    client.close()
  })
})
