import { businessUser, organization } from '@dmp/contract'
import { aUser, anOrganization, anId, northClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { App } from '../App.tsx'

const staff = { id: anId(4), displayName: 'Staff' }
const admin = { id: anId(3), displayName: 'Administrator' }
const free = answer(businessUser.emailAvailable, { available: true, message: '' })
const added = answer(businessUser.add, aUser('staff', { civility: 'Mr', firstName: 'Jan', lastName: 'Novak' }))
const list = answer(businessUser.list, { rows: [], total: 0 })

async function fill(user: UserEvent) {
  await user.type(await screen.findByLabelText('First Name'), 'Jan')
  await user.type(screen.getByLabelText('Last Name'), 'Novak')
  await user.type(screen.getByLabelText('Email'), 'jan@north.example')
  await user.tab()
}

describe('add user', () => {
  it('uses the one role that is offered and the own organization [2.23, 2.62, 3.16, 5.08, 6.05, 6.08, 8.09]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/user/add',
      as: 'admin',
      answers: [answer(businessUser.listAddUserRoles, [staff]), free, added, list],
    })
    await fill(user)
    expect(screen.queryByLabelText('User Role')).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Organization')).not.toBeInTheDocument()
    const save = screen.getByRole('button', { name: 'Save' })
    await waitFor(() => expect(save).toBeEnabled())
    await user.click(save)
    expect(await screen.findByText('Account for Mr Jan Novak has been added')).toBeInTheDocument()
    expect(calls(businessUser.add)).toEqual([
      {
        civility: 'Mr',
        firstName: 'Jan',
        lastName: 'Novak',
        userName: 'jan@north.example',
        email: 'jan@north.example',
        mobile: null,
        landline: null,
        fax: null,
        organizationId: northClinic.id,
        roleId: staff.id,
      },
    ])
    expect(path()).toBe('/user')
  })

  it('asks for role and organization where there is a choice [2.62, 5.08, 6.05]', async () => {
    const answers = [
      answer(businessUser.listAddUserRoles, [admin, staff]),
      answer(organization.list, { rows: [anOrganization()] }),
      free,
      added,
      list,
    ]
    const { user } = renderScreen(<App notFound={null} />, { at: '/user/add', as: 'super_admin', answers })
    await fill(user)
    const save = screen.getByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    await user.selectOptions(screen.getByLabelText('User Role'), 'Staff')
    expect(save).toBeDisabled()
    await screen.findByRole('option', { name: 'North-Clinic' })
    await user.selectOptions(screen.getByLabelText('Organization'), 'North-Clinic')
    await waitFor(() => expect(save).toBeEnabled())
  })

  it('says of a role and an organization that were passed over that they are needed [5.08, 5.17]', async () => {
    const answers = [
      answer(businessUser.listAddUserRoles, [admin, staff]),
      answer(organization.list, { rows: [anOrganization(), anOrganization({ id: anId(9), name: 'East-Clinic' })] }),
    ]
    const { user } = renderScreen(<App notFound={null} />, { at: '/user/add', as: 'super_admin', answers })
    await screen.findByRole('option', { name: 'East-Clinic' })
    await user.click(screen.getByLabelText('User Role'))
    for (const label of ['User Role', 'Organization']) {
      expect(screen.getByLabelText(label)).toHaveFocus()
      await user.tab()
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription('This field is required!')
    }
  })

  it('restores a draft of two roles into a form with one, which is used [2.62, P27]', async () => {
    const two = [answer(businessUser.listAddUserRoles, [admin, staff]), free, added, list]
    const first = renderScreen(<App notFound={null} />, { at: '/user/add', as: 'admin', answers: two })
    await fill(first.user)
    first.unmount()
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/user/add',
      as: 'admin',
      answers: [answer(businessUser.listAddUserRoles, [staff]), free, added, list],
    })
    expect(await screen.findByText('What you typed earlier was restored.')).toBeVisible()
    await waitFor(() => expect(calls(businessUser.emailAvailable)).toHaveLength(1))
    const save = screen.getByRole('button', { name: 'Save' })
    await waitFor(() => expect(save).toBeEnabled())
    await user.click(save)
    await waitFor(() => expect(calls(businessUser.add)).toEqual([expect.objectContaining({ roleId: staff.id })]))
  })

  it("shows the server's text for an address that is taken [5.04]", async () => {
    const taken = answer(businessUser.emailAvailable, {
      available: false,
      message: 'There is a user with this address already.',
    })
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/user/add',
      as: 'admin',
      answers: [answer(businessUser.listAddUserRoles, [staff]), taken],
    })
    await fill(user)
    expect(await screen.findByText('There is a user with this address already.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  })
})
