import * as account from '@dmp/contract/account'
import { CallError, session } from '@dmp/kit'
import { answer, placeSettings, signInAs, someTokens } from '@dmp/kit/testing'
import { useSessionStore } from './store.ts'

import { complete, item, serving } from './sessionInTests.ts'

beforeEach(() => {
  placeSettings()
  signInAs(null)
  localStorage.clear()
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

  it('takes nothing of another person who has signed in in another tab, and writes nothing over it [4.12, P08]', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
    signInAs('staff')
    useSessionStore.setState({ tokens: someTokens(ended) })
    const others = JSON.stringify(
      someTokens({ accessToken: 'of-another', refreshToken: 'of-another', userId: 'another' }),
    )
    const comes = () => localStorage.setItem('authData', others)
    // While this tab asks for new ones, then before it does; granted, then refused.
    serving(answer(account.renewToken, () => (comes(), complete)))
    await expect(session.renew()).resolves.toBe(false)
    serving(answer(account.renewToken, () => (comes(), new CallError(401, 'REUSED', 'no'))))
    await expect(session.renew()).resolves.toBe(false)
    expect(session.catchUp()).toBe(false)
    expect(session.get().tokens?.accessToken).toBe('an-access-token')
    expect(localStorage.getItem('authData')).toBe(others)
    warn.mockRestore()
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

  it.each([
    ['does not say whose they are', null],
    ['says so', complete.userId],
  ])('keeps the new tokens for the same person where the answer %s [4.12]', async (_what, userId) => {
    const { sessionId } = session.get().tokens ?? {}
    serving(answer(account.renewToken, { ...complete, userId }))
    await expect(session.renew()).resolves.toBe(true)
    expect(item('authData')).toMatchObject({ accessToken: 'fresh', userId: complete.userId, sessionId })
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
