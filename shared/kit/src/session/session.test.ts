import * as account from '@dmp/contract/account'
import { aUser } from '@dmp/contract/examples'
import { CallError, drafts, recordActivity, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { queryClient } from '../transport/queryClient.ts'

import { complete, item, serving } from './sessionInTests.ts'

beforeEach(() => {
  placeSettings()
  signInAs(null)
  localStorage.clear()
})

describe('beginning a session', () => {
  it('loads the profile and stores tokens, user and activity [3.01, 3.05, 4.11, 9.11]', async () => {
    const { made } = serving(answer(account.profile, aUser('admin')))
    await session.begin(complete)
    expect(made[0]?.headers.get('authorization')).toBe('Bearer fresh')
    expect(item('authData')).toMatchObject({
      accessToken: 'fresh',
      refreshToken: 'next',
      idToken: 'i',
      challengeName: null,
      userId: complete.userId,
      session: null,
      expiresIn: 900,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(Object.keys(item('user') as object).toSorted()).toEqual([
      'email',
      'fullName',
      'organization',
      'organizationId',
      'policy',
      'role',
      'roleDisplayName',
    ])
    expect(item('user')).toMatchObject({
      email: 'admin@example.org',
      role: 'admin',
      roleDisplayName: 'Administrator',
      organization: 'North-Clinic',
    })
    expect(Math.abs(Date.now() - Number(item('lastActiveTime')))).toBeLessThan(5000)
  })

  it('asks anew for what the same person has in front of them, who was away for a while [P27]', async () => {
    signInAs('admin')
    const key = ['what is on the screen']
    queryClient.setQueryData(key, 'as it was')
    serving(answer(account.profile, aUser('admin')))
    await session.begin(complete)
    expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('refuses a service user, logs it out at once, and stores nothing [6.01, 4.11, 8.07]', async () => {
    const { made } = serving(answer(account.profile, aUser('service_user')))
    await expect(session.begin(complete)).rejects.toThrow(
      'A service user account cannot be used to login on the web application.',
    )
    expect(made.map(({ endpoint, input }) => [endpoint.definition.path, input])).toContainEqual([
      '/account/logout',
      { refreshToken: 'next' },
    ])
    expect(item('authData')).toBeNull()
    expect(session.get().user).toBeNull()
  })

  it('stores nothing when the profile cannot be had [4.11]', async () => {
    serving(answer(account.profile, new CallError(503, 'NOT_READY', 'Later.')))
    await expect(session.begin(complete)).rejects.toThrow('Later.')
    expect(item('authData')).toBeNull()
  })
})

describe('who signs in on a page that somebody used before', () => {
  it('finds nothing of the other person, and everything of the own [P23, P27]', async () => {
    serving(answer(account.profile, aUser('admin')))
    signInAs('staff')
    queryClient.setQueryData(['GET /Scan/list'], 'a name')
    await session.begin(complete)
    expect(queryClient.getQueryData(['GET /Scan/list'])).toBeUndefined()
    queryClient.setQueryData(['GET /Scan/list'], 'a name')
    await session.begin(complete)
    expect(queryClient.getQueryData(['GET /Scan/list'])).toBe('a name')
  })
})

describe('ending a session', () => {
  it('clears it at once, tells the server, and ignores a failed logout call [8.05]', async () => {
    const { made } = serve([answer(account.logout, new CallError(500, 'BROKEN', 'no'))], '/api')
    signInAs('staff')
    recordActivity()
    localStorage.setItem('dataTableHistory', '{}')
    const ended = session.end()
    expect(session.get()).toMatchObject({ tokens: null, user: null, endedBecause: null })
    expect([item('authData'), item('user'), item('lastActiveTime'), item('dataTableHistory')]).toEqual([
      null,
      null,
      null,
      null,
    ])
    await expect(ended).resolves.toBeUndefined()
    expect(made.map(({ input }) => input)).toEqual([{ refreshToken: 'a-refresh-token' }])
  })

  it('is nothing where it has ended already: the reason stays, and the server is not told again [8.06]', async () => {
    const { made } = serving()
    signInAs('staff')
    await session.end('because')
    await session.end('another reason')
    expect(session.get()).toMatchObject({ endedBecause: 'because', hasLeft: false })
    expect(made).toHaveLength(1)
  })

  it('leaves no draft behind when the person signs out [P23, P27]', async () => {
    serving()
    signInAs('staff')
    drafts.write('complaint', { description: 'half' })
    await session.end()
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('gives a draft back only to the person who typed it [P27]', () => {
    signInAs('staff')
    drafts.write('complaint', { description: 'half' })
    signInAs('admin')
    expect(drafts.read('complaint')).toBeNull()
    signInAs('staff')
    expect(drafts.read('complaint')).toEqual({ description: 'half' })
  })

  it.each(['7', '"text"', '["a"]', 'null', 'not json'])('takes %s in the storage for no draft [P27]', (text) => {
    signInAs('staff')
    drafts.write('complaint', { description: 'half' })
    for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, text)
    expect(drafts.read('complaint')).toBeNull()
  })
})

describe('what is stored of the user', () => {
  it('follows a save; after a change of what is allowed everything is asked again [3.05, 4.14, 4.15]', () => {
    signInAs('staff')
    const again = jest.spyOn(queryClient, 'invalidateQueries')
    session.storeUser(aUser('staff', { fullName: 'Ms Ada Berg' }))
    expect([session.get().user?.fullName, (item('user') as { fullName: string }).fullName]).toEqual([
      'Ms Ada Berg',
      'Ms Ada Berg',
    ])
    expect(again).not.toHaveBeenCalled()
    session.storeUser(aUser('admin'))
    expect(session.get().user?.role).toBe('admin')
    expect(again).toHaveBeenCalledTimes(1)
    again.mockRestore()
  })

  it('is nothing once nobody is signed in any more [P23]', () => {
    session.storeUser(aUser('staff'))
    expect([session.get().user, item('user')]).toEqual([null, null])
  })

  it('is nobody where tokens or user are missing when the page begins [9.11]', async () => {
    signInAs('staff')
    const [tokens, user] = [localStorage.getItem('authData') ?? '', localStorage.getItem('user') ?? '']
    for (const half of [{ authData: tokens }, { user }]) {
      localStorage.clear()
      for (const [key, value] of Object.entries(half)) localStorage.setItem(key, value)
      await jest.isolateModulesAsync(async () => {
        const { useSessionStore: begun } = await import('./store.ts')
        expect(begun.getState()).toMatchObject({ tokens: null, user: null })
      })
    }
  })
})
