import { registration } from '@dmp/contract'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { App } from '../App.tsx'

const free = answer(registration.emailAvailable, { available: true, message: '' })

async function fill(user: UserEvent) {
  await user.type(await screen.findByLabelText('First Name'), 'Ines')
  await user.type(screen.getByLabelText('Last Name'), 'Vogel')
  await user.type(screen.getByLabelText('Organization'), 'East-Clinic')
  await user.type(screen.getByLabelText('Email'), 'ines.vogel@east.example')
}

describe('public registration', () => {
  it('registers and thanks; the title starts as Mr [1.10, 2.07, 2.57, 5.07, 5.16, 8.10]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/register',
      as: null,
      answers: [free, answer(registration.add, null)],
    })
    await fill(user)
    const submit = screen.getByRole('button', { name: 'Register' })
    expect(submit).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: /Terms of Use/ }))
    await waitFor(() => expect(submit).toBeEnabled())
    await user.click(submit)
    expect(await screen.findByRole('heading', { name: 'Registration Successful!' })).toBeInTheDocument()
    expect(
      screen.getByText(
        'Thank you very much for registering with us. You will receive a confirmation email once your registration is approved.',
      ),
    ).toBeInTheDocument()
    expect(calls(registration.add)).toEqual([
      {
        civility: 'Mr',
        firstName: 'Ines',
        lastName: 'Vogel',
        organizationName: 'East-Clinic',
        email: 'ines.vogel@east.example',
        mobile: null,
        landline: null,
        fax: null,
      },
    ])
  })

  it('has a way back to the sign-in page [2.57]', async () => {
    renderScreen(<App notFound={null} />, { at: '/register', as: null, answers: [free] })
    expect(await screen.findByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
  })

  it("shows the server's text when the address cannot be used [5.04]", async () => {
    const taken = answer(registration.emailAvailable, { available: false, message: 'This address cannot be used.' })
    const { user } = renderScreen(<App notFound={null} />, { at: '/register', as: null, answers: [taken] })
    await fill(user)
    await user.tab()
    expect(await screen.findByText('This address cannot be used.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Register' })).toBeDisabled()
  })

  it('keeps everything typed when the call fails [8.03]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/register',
      as: null,
      answers: [
        free,
        answer(registration.add, new CallError(429, 'SLOW_DOWN', 'Too many attempts. Please wait a minute.')),
      ],
    })
    await fill(user)
    await user.click(screen.getByRole('checkbox', { name: /Terms of Use/ }))
    const submit = screen.getByRole('button', { name: 'Register' })
    await waitFor(() => expect(submit).toBeEnabled())
    await user.click(submit)
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Please wait a minute.')
    expect(screen.getByLabelText('First Name')).toHaveValue('Ines')
  })

  it('is where /registration/add leads [2.07]', async () => {
    const { path } = renderScreen(<App notFound={null} />, { at: '/registration/add', as: null, answers: [free] })
    await screen.findByRole('button', { name: 'Register' })
    expect(path()).toBe('/register')
  })
})
