import { account } from '@dmp/contract'
import { aUser, someLoginTokens } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const password = 'Correct horse 1!'
const draw = (answers: readonly Line[], token = 'abc.def.ghi') => {
  window.history.replaceState(null, '', token ? `/setup#${token}` : '/setup')
  return renderScreen(<App notFound={null} />, { at: '/setup', as: null, answers })
}
const valid = answer(account.checkSetupLink, null)

describe('the set-up link [P50]', () => {
  it('asks for the first administrator, with the token that it took out of the address', async () => {
    const { user, calls, path } = draw([
      valid,
      answer(account.addFirstAdministrator, null),
      answer(account.login, new CallError(401, 'WRONG_CREDENTIALS', 'No.')),
    ])
    await user.type(await screen.findByLabelText('First Name'), 'Eva')
    expect(window.location.hash).toBe('')
    await user.type(screen.getByLabelText('Last Name'), 'First')
    await user.type(screen.getByLabelText('Email'), 'eva@provider.example')
    await user.type(screen.getByLabelText('Password'), password)
    await user.type(screen.getByLabelText('Confirm password'), password)
    await user.click(screen.getByRole('button', { name: 'Create administrator' }))
    expect(await screen.findByText('You are the first administrator')).toBeVisible()
    expect(calls(account.addFirstAdministrator)).toEqual([
      {
        setupToken: 'abc.def.ghi',
        civility: 'Mr',
        firstName: 'Eva',
        lastName: 'First',
        email: 'eva@provider.example',
        newPassword: password,
      },
    ])
    // The account is there; the sign-in page says the rest.
    expect(path()).toBe('/login')
  })

  it('leads to the dashboard whoever is signed in by it', async () => {
    const { user, path } = draw([
      valid,
      answer(account.addFirstAdministrator, null),
      answer(account.login, someLoginTokens()),
      answer(account.profile, aUser('super_admin')),
    ])
    await user.type(await screen.findByLabelText('First Name'), 'Eva')
    await user.type(screen.getByLabelText('Last Name'), 'First')
    await user.type(screen.getByLabelText('Email'), 'eva@provider.example')
    await user.type(screen.getByLabelText('Password'), password)
    await user.type(screen.getByLabelText('Confirm password'), password)
    await user.click(screen.getByRole('button', { name: 'Create administrator' }))
    await waitFor(() => expect(path()).toBe('/dashboard'))
  })

  it('says why it does not work, instead of a form that could not be sent', async () => {
    draw([answer(account.checkSetupLink, new CallError(400, 'SETUP_LINK_OVER', 'This set-up link does not work.'))])
    expect(await screen.findByRole('alert')).toHaveTextContent('This set-up link does not work.')
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument()
  })

  it('says where the link is to those who come without one', async () => {
    draw([], '')
    expect(await screen.findByRole('alert')).toHaveTextContent('npm run admin -- setup-link')
    expect(screen.getByRole('button', { name: 'Go to login' })).toBeVisible()
  })
})
