import { account } from '@dmp/contract'
import { aSessionRow, anId } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const here = aSessionRow()
const there = aSessionRow({ id: anId(61), device: 'Firefox on Linux', isCurrent: false })
const password = 'Correct horse 1!'

const draw = (
  answers: readonly Line[] = [],
  at = '/account/security',
  sessions: Parameters<typeof answer<typeof account.listSessions>>[1] = [here, there],
) =>
  renderScreen(<App notFound={null} />, {
    at,
    as: 'staff',
    answers: [...answers, answer(account.listSessions, sessions)],
  })

async function fill(user: ReturnType<typeof draw>['user']) {
  await user.type(await screen.findByLabelText('Current password'), 'old one')
  await user.type(screen.getByLabelText('New password'), password)
  await user.type(screen.getByLabelText('Confirm password'), password)
}

describe('security', () => {
  it.each(['/account/security', '/account/Security'])('is at %s [2.26]', async (at) => {
    draw([], at)
    expect(await screen.findByRole('heading', { level: 1, name: 'Security' })).toBeVisible()
  })

  it('changes the password, says so and empties the fields [2.47, 7.10, 8.09]', async () => {
    const { user, calls } = draw([answer(account.changePassword, null)])
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Password changed successfully!')).toBeVisible()
    expect(calls(account.changePassword)).toEqual([
      { oldPassword: 'old one', newPassword: password, confirmNewPassword: password },
    ])
    expect(screen.getByLabelText('Current password')).toHaveValue('')
  })

  it('empties the fields by Clear fields [2.47]', async () => {
    const { user } = draw()
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Clear fields' }))
    for (const label of ['Current password', 'New password', 'Confirm password'])
      expect(screen.getByLabelText(label)).toHaveValue('')
  })

  it('keeps the button disabled until the rules are met, and the meter says which are not [5.01, 5.18]', async () => {
    const { user } = draw()
    await user.type(await screen.findByLabelText('Current password'), 'old one')
    await user.type(screen.getByLabelText('New password'), 'abcdefghijkl')
    await user.type(screen.getByLabelText('Confirm password'), 'abcdefghijkl')
    expect(screen.getByRole('button', { name: 'Change password' })).toBeDisabled()
    expect(screen.getByText(/One uppercase letter/)).toBeVisible()
  })

  it('shows a refusal beside the button [8.03]', async () => {
    const { user } = draw([
      answer(account.changePassword, new CallError(400, 'WRONG_PASSWORD', 'The current password is not right.')),
    ])
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The current password is not right.')
  })
})

describe('signed-in devices', () => {
  it('are listed, this one marked', async () => {
    draw()
    const table = within(await screen.findByRole('table', { name: 'Signed-in devices' }))
    expect(table.getByText('Chrome on Windows (this device)')).toBeVisible()
    expect(table.getByText('Firefox on Linux')).toBeVisible()
  })

  it('are all but this one signed out after a question', async () => {
    let sessions = [here, there]
    const { user, calls } = draw(
      [answer(account.signOutOthers, () => (sessions = [here]))],
      '/account/security',
      () => sessions,
    )
    await user.click(await screen.findByRole('button', { name: 'Sign out others' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Sign out others' })).getByRole('button', {
        name: 'Sign out others',
      }),
    )
    expect(await screen.findByText('Signed out on all other devices')).toBeVisible()
    expect(calls(account.signOutOthers)).toHaveLength(1)
    await waitFor(() => expect(screen.queryByText('Firefox on Linux')).not.toBeInTheDocument())
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('are signed out one by one, never this one [P73]', async () => {
    let sessions = [here, there]
    const { user, calls } = draw(
      [answer(account.signOutSession, () => (sessions = [here]))],
      '/account/security',
      () => sessions,
    )
    const end = await screen.findByRole('button', { name: /^Sign out Firefox/ })
    expect(screen.queryByRole('button', { name: /^Sign out Chrome/ })).not.toBeInTheDocument()
    await user.click(end)
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out this device' }))
    expect(dialog.getByRole('time')).toHaveAttribute('datetime', there.lastSeenDate)
    await user.click(dialog.getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('Signed out on Firefox on Linux')).toBeVisible()
    expect(calls(account.signOutSession)).toEqual([{ id: there.id }])
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Sign out Firefox/ })).not.toBeInTheDocument())
  })

  it('stay as they are on Cancel', async () => {
    const { user, calls } = draw()
    await user.click(await screen.findByRole('button', { name: 'Sign out others' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(calls(account.signOutOthers)).toEqual([])
  })

  it('offer nothing when there is only this one', async () => {
    draw([], '/account/security', [here])
    expect(await screen.findByRole('button', { name: 'Sign out others' })).toBeDisabled()
  })
})
