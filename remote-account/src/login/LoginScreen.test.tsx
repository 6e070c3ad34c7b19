import { account } from '@dmp/contract'
import { aChallenge, aUser, someLoginTokens } from '@dmp/contract/examples'
import { CallError, session } from '@dmp/kit'
import { addData, answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const signedIn = [answer(account.login, someLoginTokens()), answer(account.profile, aUser('staff'))]
const codeAsked = answer(account.login, aChallenge('MFA'))

const draw = (answers: readonly Line[], options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={<p>not found</p>} />, { at: '/login', as: null, answers, ...options })

async function submitCredentials(
  user: ReturnType<typeof draw>['user'],
  email = 'staff@north.example',
  password = 'secret',
) {
  await user.type(await screen.findByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Submit' }))
}

describe('the first step', () => {
  it('has email, password, Submit and the ways to the other public pages [2.42]', async () => {
    draw([])
    expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username')
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
    expect(screen.getByRole('link', { name: 'Forgot password' })).toHaveAttribute('href', '/forgot-password')
    expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
  })

  it('sends what was typed with the client id and goes to the dashboard [2.03, 7.03, 4.10]', async () => {
    const { user, calls, path, goTo } = draw(signedIn)
    await submitCredentials(user)
    await screen.findByText('not found')
    expect(path()).toBe('/dashboard')
    await goTo(-1)
    expect(path()).toBe('/dashboard')
    expect(calls(account.login)).toEqual([{ ClientId: 'dmp-web', email: 'staff@north.example', password: 'secret' }])
    expect(session.get().user).toMatchObject({ role: 'staff', organization: 'North-Clinic' })
  })

  it('goes to where the person wanted to go [2.03]', async () => {
    const { user, path } = draw(signedIn, { state: { returnTo: '/scan?searchTerm=knee' } })
    await submitCredentials(user)
    await screen.findByText('not found')
    expect(path()).toBe('/scan?searchTerm=knee')
  })

  it('keeps Submit disabled until email and password are valid [5.03, 5.18]', async () => {
    const { user } = draw([])
    const submit = await screen.findByRole('button', { name: 'Submit' })
    expect(submit).toBeDisabled()
    await user.type(screen.getByLabelText('Email'), 'nobody')
    await user.type(screen.getByLabelText('Password'), 'x')
    expect(await screen.findByText('Please enter a valid email.')).toBeVisible()
    expect(submit).toBeDisabled()
    await user.type(screen.getByLabelText('Email'), '@north.example')
    expect(submit).toBeEnabled()
  })

  it('shows what the server says in an alert and stays [8.03]', async () => {
    const { user, path } = draw([
      answer(account.login, new CallError(401, 'WRONG_CREDENTIALS', 'Email or password is not right.')),
    ])
    await submitCredentials(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Email or password is not right.')
    expect(path()).toBe('/login')
  })

  it('refuses a service user after signing out again at once [6.01, 1.11, 4.11, 8.07]', async () => {
    const { user, calls } = draw([
      answer(account.login, someLoginTokens()),
      answer(account.profile, aUser('service_user')),
      answer(account.logout, null),
    ])
    await submitCredentials(user)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'A service user account cannot be used to login on the web application.',
    )
    expect(calls(account.logout)).toEqual([{ refreshToken: 'a-refresh-token' }])
    expect(session.get().tokens).toBeNull()
  })

  it('leads to the new-password screen when the server asks for one [4.10, 2.04]', async () => {
    const { user, goTo } = draw([answer(account.login, aChallenge('new-password-required'))])
    await submitCredentials(user)
    expect(await screen.findByRole('heading', { level: 1, name: 'Set New Password' })).toBeVisible()
    await goTo(-1)
    expect(screen.queryByRole('heading', { level: 1, name: 'Login' })).not.toBeInTheDocument()
  })

  it('says why the last session ended [8.06]', async () => {
    draw([answer(account.logout, null)], { as: 'staff' })
    addData('Your session renewal has failed. Please Login again.')
    await act(() => session.end('Your session renewal has failed. Please Login again.'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Your session renewal has failed. Please Login again.')
  })
})

describe('the demo accounts', () => {
  it('fill the form by one click', async () => {
    const { user, calls } = draw(signedIn, { settings: { isDemo: true } })
    await user.click(await screen.findByRole('button', { name: 'staff@north.example' }))
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await screen.findByText('not found')
    expect(calls(account.login)).toEqual([
      { ClientId: 'dmp-web', email: 'staff@north.example', password: 'DemoPassw0rd!' },
    ])
  })

  it('are not there otherwise', async () => {
    draw([])
    await screen.findByLabelText('Email')
    expect(screen.queryByText('Demo accounts')).not.toBeInTheDocument()
  })
})

describe('the second step', () => {
  beforeEach(() => jest.useFakeTimers({ advanceTimers: true }))
  afterEach(() => jest.useRealTimers())

  it('asks for the code and sends it with the challenge [2.42, 7.11]', async () => {
    const { user, calls, path } = draw([
      codeAsked,
      answer(account.respondToMFA, someLoginTokens()),
      answer(account.profile, aUser('staff')),
    ])
    await submitCredentials(user)
    expect(await screen.findByText('Please enter your verification code')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('We have sent a code to staff@north.example.')
    await user.type(screen.getByLabelText('Verification code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await screen.findByText('not found')
    expect(path()).toBe('/dashboard')
    expect(calls(account.respondToMFA)).toEqual([
      { clientId: 'dmp-web', session: 'a-challenge', userId: aChallenge('MFA').userId, mfaCode: '123456' },
    ])
  })

  it('counts down 60 times the configured minutes and offers Resend Code at zero only [4.10, 9.05]', async () => {
    const { user, calls } = draw([codeAsked], { settings: { mfaMinutes: 3 } })
    await submitCredentials(user)
    expect(await screen.findByRole('timer')).toHaveTextContent('03:00')
    expect(screen.getByRole('button', { name: 'Resend Code' })).toBeDisabled()
    act(() => jest.advanceTimersByTime(61_000))
    expect(screen.getByRole('timer')).toHaveTextContent('01:59')
    act(() => jest.advanceTimersByTime(119_000))
    expect(screen.queryByRole('timer')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Resend Code' }))
    expect(await screen.findByRole('timer')).toHaveTextContent('03:00')
    expect(calls(account.login)).toHaveLength(2)
    expect(calls(account.login)[1]).toEqual(calls(account.login)[0])
  })

  it('answers the newest challenge after a resend [4.10]', async () => {
    let count = 0
    const { user, calls } = draw(
      [
        answer(account.login, () => aChallenge('MFA', { session: `challenge-${(count += 1)}` })),
        answer(account.respondToMFA, new CallError(401, 'WRONG_CODE', 'This code is not right.')),
      ],
      { settings: { mfaMinutes: 0.01 } },
    )
    await submitCredentials(user)
    await screen.findByLabelText('Verification code')
    act(() => jest.advanceTimersByTime(1000))
    await user.click(screen.getByRole('button', { name: 'Resend Code' }))
    expect(await screen.findByText(/new code/)).toBeVisible()
    await user.type(screen.getByLabelText('Verification code'), '1')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('This code is not right.')
    expect(calls(account.respondToMFA)).toMatchObject([{ session: 'challenge-2' }])
  })

  it('asks for one new code however often it is clicked, and again when none could be sent [4.10, 8.03]', async () => {
    const busy = new CallError(429, 'SLOW_DOWN', 'Please try again in a minute.')
    let refuse = () => {}
    let count = 0
    const { user, calls } = draw(
      [
        answer(account.login, () =>
          (count += 1) === 1 ? aChallenge('MFA') : new Promise((resolve) => (refuse = () => resolve(busy))),
        ),
      ],
      { settings: { mfaMinutes: 0.01 } },
    )
    await submitCredentials(user)
    await screen.findByLabelText('Verification code')
    act(() => jest.advanceTimersByTime(1000))
    await user.dblClick(screen.getByRole('button', { name: 'Resend Code' }))
    await waitFor(() => expect(calls(account.login)).toHaveLength(2))
    refuse()
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.')
    expect(calls(account.login)).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Resend Code' }))
    await waitFor(() => expect(calls(account.login)).toHaveLength(3))
  })

  it('takes at most six characters [5.03, 9.03]', async () => {
    const { user } = draw([codeAsked])
    await submitCredentials(user)
    await user.type(await screen.findByLabelText('Verification code'), '12345678')
    expect(screen.getByLabelText('Verification code')).toHaveValue('123456')
  })

  it('takes a code as it is copied out of a mail, with blanks [5.03]', async () => {
    const { user } = draw([codeAsked])
    await submitCredentials(user)
    const field = await screen.findByLabelText('Verification code')
    await user.click(field)
    await user.paste(' 146 578 \n')
    expect(field).toHaveValue('146578')
    await user.clear(field)
    await user.type(field, '146 578')
    expect(field).toHaveValue('146578')
  })

  it('goes back to an empty form [4.10]', async () => {
    const { user } = draw([codeAsked])
    await submitCredentials(user)
    await user.click(await screen.findByRole('button', { name: 'Back to login' }))
    expect(await screen.findByLabelText('Email')).toHaveValue('')
    expect(screen.getByLabelText('Password')).toHaveValue('')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})
