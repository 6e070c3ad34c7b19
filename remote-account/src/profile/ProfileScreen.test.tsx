import { account, businessUser } from '@dmp/contract'
import { aUser } from '@dmp/contract/examples'
import { areKeysOn, CallError, session } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { act, screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const user1 = aUser('staff', { createdDate: '2026-01-15T12:00:00.000Z', updatedDate: '2026-02-20T12:00:00.000Z' })

function draw({ profile = answer(account.profile, user1), mfaEnabled = false, more = [] as readonly Line[] } = {}) {
  return renderScreen(<App notFound={null} />, {
    at: '/account/profile',
    as: 'staff',
    answers: [profile, answer(account.getPreferences, { mfaEnabled }), ...more],
  })
}
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const fact = (label: string) => screen.getByText(label).nextElementSibling

describe('profile', () => {
  it('shows the basics with their dates as day / month / year [2.25, 2.46, 9.10]', async () => {
    draw()
    expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
    await region('Basic')
    expect(fact('Login Email')).toHaveTextContent(user1.email)
    expect(fact('Organization')).toHaveTextContent('North-Clinic')
    expect(fact('Created Date')).toHaveTextContent('15 / Jan / 2026')
    expect(fact('Modified date')).toHaveTextContent('20 / Feb / 2026')
  })

  it('switches single keys off, for this browser [P34]', async () => {
    const { user, unmount } = draw()
    await user.click((await region('Keyboard')).getByRole('checkbox', { name: 'Single-key shortcuts' }))
    expect(areKeysOn()).toBe(false)
    unmount()
    draw()
    const box = (await region('Keyboard')).getByRole('checkbox', { name: 'Single-key shortcuts' })
    expect(box).not.toBeChecked()
    await user.click(box)
    expect(areKeysOn()).toBe(true)
  })

  it('becomes a form by Edit and saves what changed, shown and stored [2.46, 4.15, 8.09]', async () => {
    let saved = user1
    const update = answer(
      businessUser.updateProfile,
      () => (saved = { ...user1, firstName: 'Grace', fullName: 'Ms Grace Berg' }),
    )
    const { user, calls } = draw({ profile: answer(account.profile, () => saved), more: [update] })
    await user.click((await region('Profile Information')).getByRole('button', { name: 'Edit' }))
    const name = screen.getByLabelText('First name')
    await user.clear(name)
    await user.type(name, 'Grace')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully!')).toBeVisible()
    expect(screen.queryByLabelText('First name')).not.toBeInTheDocument()
    expect(await screen.findByText('Grace')).toBeVisible()
    expect(session.get().user?.fullName).toBe('Ms Grace Berg')
    expect(calls(businessUser.updateProfile)).toEqual([
      {
        civility: 'Ms',
        firstName: 'Grace',
        lastName: 'Berg',
        mobile: user1.mobile,
        landline: user1.landline,
        seenUpdatedDate: user1.updatedDate,
      },
    ])
  })

  it('checks names and phones [5.05, 5.06]', async () => {
    const { user } = draw()
    await user.click((await region('Profile Information')).getByRole('button', { name: 'Edit' }))
    await user.clear(screen.getByLabelText('Last name'))
    await user.type(screen.getByLabelText('Fax'), 'abc')
    await user.tab()
    expect(await screen.findByText('Please enter a last name.')).toBeVisible()
    expect(screen.getByText('Only numbers, +, -, and space allowed')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  it('shows a failed save beside the button and keeps the form [8.03]', async () => {
    const { user } = draw({
      more: [
        answer(businessUser.updateProfile, new CallError(409, 'CHANGED_MEANWHILE', 'Somebody changed this meanwhile.')),
      ],
    })
    await user.click((await region('Profile Information')).getByRole('button', { name: 'Edit' }))
    await user.type(screen.getByLabelText('First name'), 'x')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody changed this meanwhile.')
    expect(screen.getByLabelText('First name')).toHaveValue('Adax')
  })

  it('goes back by Cancel [2.46]', async () => {
    const { user } = draw()
    await user.click((await region('Profile Information')).getByRole('button', { name: 'Edit' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByLabelText('First name')).not.toBeInTheDocument()
  })
})

describe('preferences', () => {
  const edit = async (user: ReturnType<typeof draw>['user']) =>
    user.click((await region('Preferences')).getByRole('button', { name: 'Edit' }))

  it('are read-only until Edit, and Save is disabled while unchanged [2.46]', async () => {
    const { user } = draw()
    expect(await screen.findByRole('checkbox', { name: 'MFA Enabled' })).toBeDisabled()
    await edit(user)
    expect(screen.getByRole('checkbox', { name: 'MFA Enabled' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('checkbox', { name: 'MFA Enabled' })).toBeDisabled()
  })

  it('switch MFA on, say so and close [2.46, 3.03, 7.13, 8.09, 4.15]', async () => {
    const { user, calls } = draw({ more: [answer(account.updatePreferences, { mfaEnabled: true })] })
    await edit(user)
    await user.click(screen.getByRole('checkbox', { name: 'MFA Enabled' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Preference Updated successfully!')).toBeVisible()
    expect(calls(account.updatePreferences)).toEqual([{ mfaEnabled: true }])
    expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
  })

  it('ask for the password when MFA is switched off', async () => {
    const { user, calls } = draw({ mfaEnabled: true, more: [answer(account.updatePreferences, { mfaEnabled: false })] })
    await edit(user)
    await user.click(screen.getByRole('checkbox', { name: 'MFA Enabled' }))
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.type(screen.getByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Preference Updated successfully!')
    expect(calls(account.updatePreferences)).toEqual([{ mfaEnabled: false, password: 'secret' }])
  })

  it('close after a failure too, show it, and clear it at the next try [4.15, 8.03]', async () => {
    const { user } = draw({
      mfaEnabled: true,
      more: [answer(account.updatePreferences, new CallError(400, 'WRONG_PASSWORD', 'This password is not right.'))],
    })
    await edit(user)
    await user.click(screen.getByRole('checkbox', { name: 'MFA Enabled' }))
    await user.type(screen.getByLabelText('Password'), 'wrong')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('This password is not right.')
    expect(screen.getByRole('checkbox', { name: 'MFA Enabled' })).toBeDisabled()
    await edit(user)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('clear a failure by themselves after a while [8.03]', async () => {
    const { user } = draw({
      more: [answer(account.updatePreferences, new CallError(500, 'FAILED', 'The server could not do this.'))],
    })
    await edit(user)
    await user.click(screen.getByRole('checkbox', { name: 'MFA Enabled' }))
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    act(() => screen.getByRole('button', { name: 'Save' }).click())
    await act(() => jest.advanceTimersByTimeAsync(1000))
    expect(screen.getByRole('alert')).toHaveTextContent('The server could not do this.')
    await act(() => jest.advanceTimersByTimeAsync(20_000))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    jest.useRealTimers()
  })
})
