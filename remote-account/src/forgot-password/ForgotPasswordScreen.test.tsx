import { account } from '@dmp/contract'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (answers: readonly Line[]) =>
  renderScreen(<App notFound={null} />, { at: '/forgot-password', as: null, answers })

describe('forgot your password', () => {
  it('asks for the link and says that it is on its way [2.05, 2.45, 7.07]', async () => {
    const { user, calls, path } = draw([answer(account.forgotPassword, null)])
    expect(await screen.findByRole('heading', { level: 1, name: 'Forgot your password' })).toBeVisible()
    await user.type(screen.getByLabelText('Email'), 'staff@north.example')
    await user.click(screen.getByRole('button', { name: 'Get reset password link' }))
    expect(
      await screen.findByText(
        'We have sent you an email with the link to change your password. Kindly check your email.',
      ),
    ).toBeVisible()
    expect(calls(account.forgotPassword)).toEqual([{ Email: 'staff@north.example', ClientId: 'dmp-web' }])
    await user.click(screen.getByRole('button', { name: 'Go to login' }))
    expect(path()).toBe('/login')
  })

  it('needs a valid email [5.03, 5.17]', async () => {
    const { user } = draw([])
    await user.type(await screen.findByLabelText('Email'), 'nobody')
    await user.tab()
    expect(await screen.findByText('Please enter a valid email.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Get reset password link' })).toBeDisabled()
  })

  it('shows the error where the button is [8.03]', async () => {
    const { user } = draw([
      answer(account.forgotPassword, new CallError(429, 'SLOW_DOWN', 'Please try again in 5 minutes.')),
    ])
    await user.type(await screen.findByLabelText('Email'), 'staff@north.example')
    await user.click(screen.getByRole('button', { name: 'Get reset password link' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 5 minutes.')
  })
})
