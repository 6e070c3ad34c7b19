import { followTabs, session } from '@dmp/kit'
import { placeSettings, signInAs, someTokens } from '@dmp/kit/testing'
import { waitFor } from '@testing-library/react'
import { useSessionStore } from './store.ts'

import { storageEvent } from './sessionInTests.ts'

beforeEach(() => {
  placeSettings()
  signInAs(null)
  localStorage.clear()
})

describe('all tabs share one session', () => {
  const onOtherUser = jest.fn()
  let stop: () => void
  let other: BroadcastChannel | undefined
  beforeEach(() => {
    onOtherUser.mockReset()
    stop = followTabs({ onOtherUser })
  })
  afterEach(() => {
    stop()
    other?.close()
  })

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
    other = new BroadcastChannel('dmp-session')
    // Of a newer page, which says what this one does not know.
    other.postMessage({ type: 'something newer', reason: 'not this' })
    other.postMessage({ type: 'ended', reason: 'because' })
    await waitFor(() => expect(session.get()).toMatchObject({ user: null, endedBecause: 'because' }))
  })

  it('signs out when the storage was emptied, also without a word [P28]', async () => {
    signInAs('staff')
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(session.get().user).toBeNull()
  })

  it('goes on where another tab emptied the storage and filled it again at once [P28]', async () => {
    signInAs('staff')
    const tokens = localStorage.getItem('authData') ?? ''
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    localStorage.setItem('authData', tokens)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(session.get().user?.email).toBe('staff@example.org')
  })

  it('keeps the reason why it ended when another tab signs out afterwards [8.06, P28]', async () => {
    useSessionStore.setState({ endedBecause: 'because', hasLeft: false })
    other = new BroadcastChannel('dmp-session')
    other.postMessage({ type: 'ended', reason: null })
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(session.get()).toMatchObject({ endedBecause: 'because', hasLeft: false })
  })

  it.each([
    ['tokens that have ended', { expireDate: new Date(Date.now() - 1000).toISOString() }, true],
    ['tokens without a person', {}, false],
  ])('does not take over %s [3.01, P28]', (_what, changes, hasUser) => {
    signInAs('admin')
    const admin = localStorage.getItem('user') ?? ''
    signInAs('staff')
    const mine = session.get()
    localStorage.setItem('authData', JSON.stringify(someTokens({ accessToken: 'theirs', ...changes })))
    if (hasUser) localStorage.setItem('user', admin)
    else localStorage.removeItem('user')
    storageEvent('authData')
    expect(session.get()).toEqual(mine)
    expect(onOtherUser).not.toHaveBeenCalled()
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

  it('keeps the idle warning when no tab recorded activity [4.13, P28]', () => {
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
