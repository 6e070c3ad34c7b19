import { account } from '@dmp/contract'
import { aChallenge, aUser, someLoginTokens } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const password = 'Correct horse 1!'

const draw = (answers: readonly Line[], at = '/set-new-password/user-1/challenge-1') =>
  renderScreen(<App notFound={<p>not found</p>} />, { at, as: null, answers })

/** Ends the page as a reload does: nothing of it runs any more, and the tab's storage stays. */
const reloading = ({ unmount }: ReturnType<typeof draw>) => ({
  reload(): void {
    const kept = Object.entries(sessionStorage)
    unmount()
    for (const [key, value] of kept) sessionStorage.setItem(key, value as string)
  },
})

async function submit(user: ReturnType<typeof draw>['user']) {
  await user.type(await screen.findByLabelText('New password'), password)
  await user.type(screen.getByLabelText('Confirm password'), password)
  await user.click(screen.getByRole('checkbox', { name: /Terms of Use/ }))
  await user.click(screen.getByRole('button', { name: 'Set New Password' }))
}

describe('set new password', () => {
  it('has both passwords, the terms with a link that opens a new tab, and its button [2.43]', async () => {
    draw([])
    expect(await screen.findByRole('heading', { level: 1, name: 'Set New Password' })).toBeVisible()
    const link = screen.getByRole('link', { name: 'Terms of Use' })
    expect(link).toHaveAttribute('href', 'https://imaging.example/terms')
    expect(link).toHaveAttribute('target', '_blank')
    expect(screen.getByRole('button', { name: 'Set New Password' })).toBeDisabled()
  })

  it('answers the challenge of the address and signs in [2.04, 7.04, 4.10]', async () => {
    const { user, calls, path, goTo } = draw([
      answer(account.setNewPassword, someLoginTokens()),
      answer(account.profile, aUser('staff')),
    ])
    await submit(user)
    await screen.findByText('not found')
    expect(path()).toBe('/dashboard')
    // The form of a challenge that is used up lies behind nobody.
    await goTo(-1)
    expect(path()).toBe('/dashboard')
    expect(calls(account.setNewPassword)).toEqual([
      { clientId: 'dmp-web', session: 'challenge-1', challengeResponse: { userName: 'user-1', newPassword: password } },
    ])
  })

  it('says to a service user that the password is set, though nobody is signed in with it [6.01, 4.11]', async () => {
    const { user } = draw([
      answer(account.setNewPassword, someLoginTokens()),
      answer(account.profile, aUser('service_user')),
      answer(account.logout, null),
    ])
    await submit(user)
    expect(await screen.findByText('The password is set. Use it in the uploader, or sign in again.')).toBeVisible()
    expect(screen.getByText('A service user account cannot be used to login on the web application.')).toBeVisible()
  })

  it('takes the codes out of the address at once', async () => {
    window.history.replaceState(null, '', '/set-new-password/user-1/challenge-1')
    draw([])
    await screen.findByLabelText('New password')
    expect(window.location.pathname).toBe('/set-new-password')
  })

  it('opens again after a reload of the tab, with the same challenge, until it is answered [2.04]', async () => {
    const { reload } = reloading(draw([]))
    await screen.findByLabelText('New password')
    reload()
    const { user, calls } = draw(
      [answer(account.setNewPassword, someLoginTokens()), answer(account.profile, aUser('staff'))],
      '/set-new-password',
    )
    await submit(user)
    await screen.findByText('not found')
    expect(calls(account.setNewPassword)).toMatchObject([
      { session: 'challenge-1', challengeResponse: { userName: 'user-1' } },
    ])
    expect(sessionStorage).toHaveLength(0)
  })

  it('does not open again when the challenge is used up, the screen was left, or a quarter of an hour has passed', async () => {
    const refused = draw([answer(account.setNewPassword, new CallError(401, 'EXPIRED', 'This link has expired.'))])
    await submit(refused.user)
    await screen.findByText('This link has expired.')
    reloading(refused).reload()
    const second = draw([], '/set-new-password')
    expect(await screen.findByRole('alert')).toHaveTextContent('Sign in with your temporary password')
    second.unmount()

    draw([]).unmount()
    expect(sessionStorage).toHaveLength(0)

    const third = draw([])
    await screen.findByLabelText('New password')
    reloading(third).reload()
    jest.useFakeTimers({ now: Date.now() + 16 * 60_000, doNotFake: ['setTimeout', 'queueMicrotask', 'setInterval'] })
    draw([], '/set-new-password')
    expect(await screen.findByRole('alert')).toHaveTextContent('Sign in with your temporary password')
    jest.useRealTimers()
  })

  it('needs the terms ticked [5.02]', async () => {
    const { user } = draw([])
    await user.type(await screen.findByLabelText('New password'), password)
    await user.type(screen.getByLabelText('Confirm password'), password)
    expect(screen.getByRole('button', { name: 'Set New Password' })).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: /Terms of Use/ }))
    expect(screen.getByRole('button', { name: 'Set New Password' })).toBeEnabled()
  })

  it('says when the password is too weak and when the two differ [5.01, 5.17]', async () => {
    const { user } = draw([])
    await user.type(await screen.findByLabelText('New password'), 'Correct hor')
    await user.type(screen.getByLabelText('Confirm password'), 'other')
    await user.tab()
    expect(await screen.findByText(/must be at least 12 characters long/)).toBeVisible()
    await user.type(screen.getByLabelText('New password'), 'se 1!')
    expect(screen.queryByText(/must be at least 12 characters long/)).not.toBeInTheDocument()
    expect(screen.getByText('Please ensure the passwords match!')).toBeVisible()
  })

  it('hides the form after a failure and shows the error and the way to the login [2.43, 4.10]', async () => {
    const { user, path } = draw([
      answer(account.setNewPassword, new CallError(401, 'EXPIRED', 'This link has expired.')),
    ])
    await submit(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired.')
    expect(screen.queryByLabelText('New password')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Go to login' }))
    expect(path()).toBe('/login')
  })

  it('leads to the login when a code is asked for next: nothing bypasses MFA', async () => {
    const { user, path, goTo } = draw([answer(account.setNewPassword, aChallenge('MFA'))])
    await submit(user)
    expect(await screen.findByText('Password changed successfully!')).toBeVisible()
    expect(path()).toBe('/login')
    await goTo(-1)
    expect(path()).toBe('/login')
  })

  it.each(['/set-new-password', '/set-new-password/user-1'])(
    'says what to do when it is opened without a whole challenge: %s',
    async (at) => {
      draw([], at)
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'Sign in with your temporary password to open this page.',
      )
      expect(screen.getByRole('button', { name: 'Go to login' })).toBeVisible()
    },
  )
})
