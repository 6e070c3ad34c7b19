import * as account from '@dmp/contract/account'
import { exact, required } from '@dmp/contract/fields'
import { aUser } from '@dmp/contract/examples'
import { sendApplicationError } from '@dmp/contract/email'
import { closeCodes } from '@dmp/contract/live'
import { CallError, lastActive, recordActivity, session, sessionTexts } from '@dmp/kit'
import { SchemaForm, TextField } from '@dmp/kit/form'
import { answer, renderScreen, someTokens, type Line } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { FakeSocket, lastSocket, placeFakeSocket } from '../testing/FakeSocket.ts'
import { SessionDuties } from './SessionDuties.tsx'

const page = (
  <>
    <SchemaForm schema={exact({ note: required() })} call={async () => null} submitLabel="Save" onDone={() => {}}>
      <TextField name="note" label="Note" />
    </SchemaForm>
    <SessionDuties />
  </>
)
const complete = {
  accessToken: 'new-token',
  refreshToken: 'new-refresh',
  idToken: 'i',
  challengeName: null,
  userId: someTokens().userId,
  session: null,
  expiresIn: 900,
  expireDate: null,
}
const draw = (answers: readonly Line[] = []) =>
  renderScreen(page, {
    at: '/x',
    as: 'staff',
    settings: { liveUrl: '' },
    answers: [
      answer(account.logout, null),
      answer(account.validateToken, null),
      answer(account.profile, aUser('staff')),
      ...answers,
    ],
  })
const endByServer = () => act(() => session.end(sessionTexts.notValid))
const dialog = () => screen.findByRole('dialog', { name: 'Sign in to continue' })

describe('the end of a session', () => {
  it('asks for the password in place while something typed is unsaved, and leaves the form untouched [P27]', async () => {
    const { user, calls } = draw([
      answer(account.login, ({ password }) =>
        password === 'right' ? complete : new CallError(401, 'WRONG', 'Wrong email or password.'),
      ),
    ])
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    await endByServer()
    const box = await dialog()
    // Nothing but its own buttons ends it.
    expect(within(box).queryByRole('button', { name: /close/i })).not.toBeInTheDocument()
    await user.keyboard('{Escape}')
    await user.click(box.parentElement!)
    expect(box).toHaveTextContent(sessionTexts.notValid)
    expect(box).toHaveTextContent('staff@example.org')
    await user.type(within(box).getByLabelText('Password'), 'wrong')
    await user.click(within(box).getByRole('button', { name: 'Sign in' }))
    expect(await within(box).findByText('Wrong email or password.')).toBeVisible()
    await user.clear(within(box).getByLabelText('Password'))
    await user.type(within(box).getByLabelText('Password'), 'right')
    await user.click(within(box).getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(session.isValid()).toBe(true))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in to continue' })).not.toBeInTheDocument())
    expect(screen.getByLabelText('Note')).toHaveValue('half a thought')
    expect(calls(account.login).at(-1)).toEqual({ ClientId: 'dmp-web', email: 'staff@example.org', password: 'right' })
  })

  it('asks for the verification code in place, too [P27, 4.10]', async () => {
    const challenge = {
      ...complete,
      accessToken: null,
      refreshToken: null,
      challengeName: 'MFA' as const,
      session: 'a-challenge',
    }
    const { user, calls } = draw([answer(account.login, challenge), answer(account.respondToMFA, complete)])
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    await endByServer()
    await user.type(within(await dialog()).getByLabelText('Password'), 'right')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await user.type(await screen.findByLabelText('Verification code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() => expect(session.isValid()).toBe(true))
    expect(calls(account.respondToMFA)).toEqual([
      { clientId: 'dmp-web', userId: complete.userId, session: 'a-challenge', mfaCode: '123456' },
    ])
  })

  it('leads to the sign-in page who needs a new password, and signs nobody in [P27]', async () => {
    const challenge = { ...complete, accessToken: null, challengeName: 'new-password-required' as const, session: 's' }
    const { user } = draw([answer(account.login, challenge)])
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    await endByServer()
    const box = within(await dialog())
    await user.type(box.getByLabelText('Password'), 'right')
    await user.click(box.getByRole('button', { name: 'Sign in' }))
    expect(await box.findByText('You must choose a new password. Do so on the sign-in page.')).toBeVisible()
    expect([session.isValid(), session.get().asksPassword]).toEqual([false, true])
  })

  it('lets the person give up what was typed [P27]', async () => {
    const { user } = draw()
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    await endByServer()
    await user.click(within(await dialog()).getByRole('button', { name: 'Discard and leave' }))
    expect(session.get()).toMatchObject({ user: null, asksPassword: false, endedBecause: sessionTexts.notValid })
  })

  it('just ends where nothing is unsaved, with its reason for the sign-in page [8.06]', async () => {
    draw()
    await endByServer()
    expect(session.get()).toMatchObject({
      user: null,
      tokens: null,
      asksPassword: false,
      endedBecause: sessionTexts.notValid,
    })
  })

  it('asks before the person’s own sign-out, too [P27]', async () => {
    const { user, calls } = draw()
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    await act(() => session.end())
    const question = await screen.findByRole('dialog', { name: 'Log out without saving?' })
    await user.click(within(question).getByRole('button', { name: 'Stay' }))
    expect(session.isValid()).toBe(true)
    await act(() => session.end())
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Log out without saving?' })).getByRole('button', {
        name: 'Log out',
      }),
    )
    await waitFor(() => expect(session.get().user).toBeNull())
    expect(calls(account.logout)).toEqual([{ refreshToken: 'a-refresh-token' }])
  })

  it('asks in place when another tab signs out while something is unsaved here [P27, P28]', async () => {
    const { user } = draw()
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    const otherTab = new BroadcastChannel('dmp-session')
    otherTab.postMessage({ type: 'ended', reason: null })
    expect(await dialog()).toHaveTextContent('You signed out in another tab.')
    otherTab.close()
  })
})

describe('the idle warning', () => {
  const warn = (isFromLive: boolean) =>
    act(() => session.show({ idle: { state: 'warning', until: Date.now() + 90_000, isFromLive } }))

  it('says what happens and counts down, and any activity closes it [2.40, 4.13, 9.07]', async () => {
    const { user } = draw()
    act(() => recordActivity(Date.now() - 13.5 * 60_000))
    warn(false)
    const box = await screen.findByRole('dialog', { name: 'Are you still there?' })
    expect(within(box).queryByRole('button', { name: /close/i })).not.toBeInTheDocument()
    expect(box).toHaveTextContent(
      "We've noticed your session's been inactive for a while. For your account security, your session will timeout in",
    )
    expect(within(box).getByRole('timer')).toHaveTextContent(/^1 min (30|29) secs$/)
    await user.click(document.body)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('opens within a second of when it is due, with the usual words [2.40, 4.13]', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    draw()
    act(() => recordActivity(Date.now() - 10 * 60_000 + 2000))
    await act(() => jest.advanceTimersByTimeAsync(1000))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await act(() => jest.advanceTimersByTimeAsync(2500))
    expect(screen.getByRole('dialog', { name: 'Are you still there?' })).toHaveTextContent(
      "We've noticed your session's been inactive",
    )
    jest.useRealTimers()
  })

  it('has its own words when the live channel says so [2.40]', async () => {
    draw()
    warn(true)
    expect(await screen.findByRole('dialog')).toHaveTextContent('Your session has been idle and will expire soon.')
  })
})

describe('the live channel', () => {
  const live = (settings: Parameters<typeof renderScreen>[1]['settings'] = {}) => {
    placeFakeSocket()
    const drawn = renderScreen(<SessionDuties />, {
      at: '/x',
      settings: { liveUrl: '/live', ...settings },
      answers: [
        answer(account.renewToken, complete),
        answer(account.validateToken, null),
        answer(sendApplicationError, null),
      ],
    })
    return { ...drawn, open: () => act(() => lastSocket().open()), said: () => lastSocket().sent.slice(1) }
  }
  beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }))
  afterEach(() => {
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  it('is told of a new token, once [4.12, 4.14]', async () => {
    const { open, said } = live()
    open()
    await act(() => session.renew())
    expect(said()).toEqual([{ type: 'renewToken', accessToken: 'new-token' }])
    expect(FakeSocket.made).toHaveLength(1)
  })

  it('that gave up is opened again with the next token [4.12]', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
    const { open } = live()
    open()
    await act(async () => lastSocket().drop(closeCodes.refused))
    expect(FakeSocket.made).toHaveLength(1)
    await act(() => session.renew())
    expect(FakeSocket.made).toHaveLength(2)
  })

  it('that waits for its next try is opened as soon as the line is back [4.12, P28]', async () => {
    const { open } = live()
    open()
    await act(async () => lastSocket().drop(1006))
    expect(FakeSocket.made).toHaveLength(1)
    await act(async () => void window.dispatchEvent(new Event('online')))
    expect(FakeSocket.made).toHaveLength(2)
  })

  it('is told at every tick when the person was last active, and nothing before it is open [4.12]', async () => {
    const { open, said } = live({ tokenCheckSeconds: 20 })
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => {})
    await act(() => jest.advanceTimersByTimeAsync(20_000))
    expect(warned).not.toHaveBeenCalled()
    open()
    await act(() => jest.advanceTimersByTimeAsync(20_000))
    expect(said()).toEqual([{ type: 'keepAlive', activeDate: new Date(lastActive()).toISOString() }])
  })

  it('is told when the idle warning opens [2.40, 4.14]', async () => {
    const { open, said } = live({ tokenCheckSeconds: 3600 })
    open()
    act(() => recordActivity(Date.now() - 10 * 60_000))
    await act(() => jest.advanceTimersByTimeAsync(1000))
    expect(screen.getByRole('dialog', { name: 'Are you still there?' })).toBeInTheDocument()
    expect(said()).toEqual([{ type: 'idleTimeout' }])
  })

  it('makes pings needless, which say without one whether the session still stands [7.43]', async () => {
    const often = { pingSeconds: 10, liveValidateSeconds: 3600, tokenCheckSeconds: 3600 }
    const { calls, open, unmount } = live(often)
    open()
    await act(() => jest.advanceTimersByTimeAsync(25_000))
    expect(calls(account.validateToken)).toEqual([])
    unmount()
    const without = live({ ...often, liveUrl: '' })
    await act(() => jest.advanceTimersByTimeAsync(25_000))
    expect(without.calls(account.validateToken)).toHaveLength(2)
    expect(FakeSocket.made).toEqual([])
  })
})

it('lets nobody be idle where the settings do not ask for it [4.13]', () => {
  localStorage.setItem('lastActiveTime', String(Date.now() - 60 * 60_000))
  renderScreen(<SessionDuties />, {
    at: '/x',
    settings: { liveUrl: '', idle: { required: false, idleMinutes: 10, timeoutMinutes: 5 } },
  })
  expect(session.isValid()).toBe(true)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

describe('without a line', () => {
  it('says so while it lasts [P28]', async () => {
    draw()
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(screen.getByText(/^You are offline\./)).toHaveAttribute('role', 'status')
    // What stands at the lower edge goes above it.
    const room = () => document.documentElement.style.getPropertyValue('--dmp-foot')
    expect(room()).toMatch(/^\d+px$/)
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByText(/^You are offline\./)).not.toBeInTheDocument()
    expect(room()).toBe('')
    online.mockRestore()
  })
})
