import { account } from '@dmp/contract'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const password = 'Correct horse 1!'

const draw = (answers: readonly Line[], at = '/reset-password/user-1/code-1') =>
  renderScreen(<App notFound={null} />, { at, as: null, answers })

async function submit(user: ReturnType<typeof draw>['user']) {
  await user.type(await screen.findByLabelText('Password'), password)
  await user.type(screen.getByLabelText('Confirm password'), password)
  await user.click(screen.getByRole('button', { name: 'Reset Password' }))
}

describe('reset your password', () => {
  it('sends the new password with the code of the link and leads to the login [2.06, 2.44, 7.08]', async () => {
    const { user, calls, path, goTo } = draw([answer(account.resetForgotPassword, null)])
    expect(await screen.findByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible()
    await submit(user)
    expect(await screen.findByText('Password changed successfully!')).toBeVisible()
    expect(path()).toBe('/login')
    await goTo(-1)
    expect(path()).toBe('/login')
    expect(calls(account.resetForgotPassword)).toEqual([
      {
        UserId: 'user-1',
        ConfirmationCode: 'code-1',
        NewPassword: password,
        ConfirmNewPassword: password,
        ClientId: 'dmp-web',
      },
    ])
  })

  it('takes the code out of the address at once', async () => {
    window.history.replaceState(null, '', '/reset-password/user-1/code-1')
    draw([])
    await screen.findByLabelText('Password')
    expect(window.location.pathname).toBe('/reset-password')
  })

  it('opens again after a reload of the tab, and holds the code no longer than until it is used [2.06]', async () => {
    const first = draw([])
    await screen.findByLabelText('Password')
    // Nothing of a reloaded page runs any more, and the tab's storage stays.
    const kept = Object.entries(sessionStorage)
    first.unmount()
    for (const [key, value] of kept) sessionStorage.setItem(key, value as string)
    const { user, calls } = draw([answer(account.resetForgotPassword, null)], '/reset-password')
    await submit(user)
    expect(await screen.findByText('Password changed successfully!')).toBeVisible()
    expect(calls(account.resetForgotPassword)).toMatchObject([{ UserId: 'user-1', ConfirmationCode: 'code-1' }])
    expect(sessionStorage).toHaveLength(0)
  })

  it('keeps the button disabled until both are the same and strong [5.01, 5.18]', async () => {
    const { user } = draw([])
    await user.type(await screen.findByLabelText('Password'), password)
    await user.type(screen.getByLabelText('Confirm password'), `${password}x`)
    expect(screen.getByRole('button', { name: 'Reset Password' })).toBeDisabled()
    await user.tab()
    expect(await screen.findByText('Please ensure the passwords match!')).toBeVisible()
  })

  it('shows the error where the button is [8.03]', async () => {
    const { user } = draw([
      answer(account.resetForgotPassword, new CallError(400, 'CODE_INVALID', 'This link is not valid any more.')),
    ])
    await submit(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is not valid any more.')
  })

  it.each(['/reset-password', '/reset-password/user-1'])(
    'says what to do when the link is not complete: %s',
    async (at) => {
      draw([], at)
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'This link is incomplete. Open the link in our email again.',
      )
    },
  )
})
