import * as account from '@dmp/contract/account'
import { aUser } from '@dmp/contract/examples'
import { CallError, drafts, followTabs, recordActivity, session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens, type Line } from '@dmp/kit/testing'
import { queryClient } from '../transport/queryClient.ts'
import { useSessionStore } from './store.ts'

const complete = {
  accessToken: 'fresh',
  refreshToken: 'next',
  idToken: 'i',
  challengeName: null,
  userId: someTokens().userId,
  session: null,
  expiresIn: 900,
  expireDate: null,
}
const item = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null')
const serving = (...lines: Line[]) => serve([answer(account.logout, null), ...lines], '/api')
const storageEvent = (key: string) => window.dispatchEvent(new StorageEvent('storage', { key }))

beforeEach(() => {
  placeSettings()
  signInAs(null)
  localStorage.clear()
})

describe('beginning a session', () => {
  it('fetches the profile with the new token and stores tokens, user and activity under the known keys [3.01, 3.05, 4.11, 9.11]', async () => {
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

describe('catching up with the other tabs', () => {
  const ended = { expireDate: new Date(Date.now() - 1000).toISOString() }

  it('finds a valid session, its own or what another tab renewed meanwhile, or none [4.12, P28]', () => {
    expect(session.catchUp()).toBe(false)
    signInAs('staff')
    expect(session.catchUp()).toBe(true)
    useSessionStore.setState({ tokens: someTokens(ended) })
    localStorage.setItem('authData', JSON.stringify(someTokens(ended)))
    expect(session.catchUp()).toBe(false)
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'theirs' })))
    expect(session.catchUp()).toBe(true)
    expect(session.get().tokens?.accessToken).toBe('theirs')
  })
})

// The lock of the platform, as far as it matters here: one at a time, in order.
function placeLocks(): void {
  let queue: Promise<unknown> = Promise.resolve()
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: { request: (_: string, run: () => Promise<unknown>) => (queue = queue.then(run, run)) },
  })
}

describe('renewing', () => {
  beforeEach(() => signInAs('staff'))
  afterEach(() => void delete (navigator as { locks?: unknown }).locks)

  it('does nothing where nobody is signed in [4.12]', async () => {
    const { made } = serving()
    signInAs(null)
    await expect(session.renew()).resolves.toBe(false)
    expect(made).toEqual([])
  })

  it('only logs a failure and leaves the session as it is [8.05]', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
    serving(answer(account.renewToken, new CallError(500, 'BROKEN', 'no')))
    await expect(session.renew()).resolves.toBe(true)
    expect(session.get().tokens?.accessToken).toBe('an-access-token')
    expect(warn).toHaveBeenCalled()
    warn.mockRestore()
  })

  it('does not bring a session back that ended while the answer was on its way [P08]', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    serving(
      answer(account.renewToken, async () => {
        await gate
        return complete
      }),
    )
    const renewing = session.renew()
    await session.end('over')
    release()
    await expect(renewing).resolves.toBe(false)
    expect(session.get().tokens).toBeNull()
    expect(item('authData')).toBeNull()
  })

  it('takes a sibling’s newer tokens when its own renewal fails [P08]', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => {})
    serving(
      answer(account.renewToken, () => {
        localStorage.setItem(
          'authData',
          JSON.stringify(someTokens({ accessToken: 'theirs', refreshToken: 'their-next' })),
        )
        return new CallError(401, 'REUSED', 'no')
      }),
    )
    await expect(session.renew()).resolves.toBe(true)
    expect(session.get().tokens?.accessToken).toBe('theirs')
    jest.restoreAllMocks()
  })

  it('does not begin for a session that ended while it waited for its turn [P08]', async () => {
    placeLocks()
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { made } = serving(
      answer(account.renewToken, async () => {
        asked.resolve()
        await gate.promise
        return complete
      }),
    )
    const renewals = [session.renew(), session.renew()]
    await asked.promise
    await session.end('over')
    gate.resolve()
    await expect(Promise.all(renewals)).resolves.toEqual([false, false])
    expect(made.filter(({ endpoint }) => endpoint === account.renewToken)).toHaveLength(1)
  })

  it('is done by one of ten tabs, the others take over what it got [P08, P28]', async () => {
    placeLocks()
    const { made } = serving(answer(account.renewToken, complete))
    const tabs = Array.from({ length: 10 }, () => session.renew())
    await expect(Promise.all(tabs)).resolves.toEqual(Array(10).fill(true))
    expect(made).toHaveLength(1)
  })
})

describe('all tabs share one session', () => {
  const onOtherUser = jest.fn()
  let stop: () => void
  beforeEach(() => {
    onOtherUser.mockReset()
    stop = followTabs({ onOtherUser })
  })
  afterEach(() => stop())

  it('signs in where another tab signed in [P28]', () => {
    signInAs('admin')
    useSessionStore.setState({ tokens: null, user: null })
    storageEvent('user')
    expect(session.get().user?.email).toBe('admin@example.org')
    expect(onOtherUser).not.toHaveBeenCalled()
  })

  it('takes over a renewal [4.12, P28]', () => {
    signInAs('staff')
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'theirs' })))
    storageEvent('authData')
    expect(session.get().tokens?.accessToken).toBe('theirs')
  })

  it('signs out with the reason that the other tab had [8.06, P28]', async () => {
    signInAs('staff')
    const other = new BroadcastChannel('dmp-session')
    other.postMessage({ type: 'ended', reason: 'because' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    other.close()
    expect(session.get()).toMatchObject({ user: null, endedBecause: 'because' })
  })

  it('signs out when the storage was emptied, also without a word [P28]', async () => {
    signInAs('staff')
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(session.get().user).toBeNull()
  })

  it('says when somebody else is signed in now [P28]', () => {
    signInAs('staff')
    const before = { ...useSessionStore.getState() }
    signInAs('admin')
    useSessionStore.setState({ tokens: before.tokens, user: before.user })
    storageEvent('user')
    expect(onOtherUser).toHaveBeenCalledTimes(1)
    expect(session.get().user?.email).toBe('admin@example.org')
  })

  it('closes the idle warning when somebody is active elsewhere [4.13, P28]', () => {
    signInAs('staff')
    session.show({ idle: { state: 'warning', until: Date.now() + 1000 } })
    localStorage.setItem('lastActiveTime', String(Date.now()))
    storageEvent('lastActiveTime')
    expect(session.get().idle).toEqual({ state: 'active' })
  })

  it('keeps the idle warning when nobody was active: the time is gone, or something else was stored [4.13, P28]', () => {
    signInAs('staff')
    const idle = { state: 'warning' as const, until: Date.now() + 1000 }
    session.show({ idle })
    localStorage.removeItem('lastActiveTime')
    storageEvent('lastActiveTime')
    expect(session.get().idle).toEqual(idle)
    localStorage.setItem('lastActiveTime', String(Date.now()))
    storageEvent('preference:theme')
    expect(session.get().idle).toEqual(idle)
  })

  it.each(['not json', '{}', '[]', '{"accessToken":7}', 'null', '{"accessToken":"","refreshToken":""}'])(
    'takes %j in the storage as nobody [9.11]',
    (text) => {
      signInAs('staff')
      const before = session.get().tokens
      localStorage.setItem('authData', text)
      storageEvent('user')
      expect(session.get().tokens).toBe(before)
    },
  )
})
