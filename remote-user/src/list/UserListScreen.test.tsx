import { businessUser } from '@dmp/contract'
import { aUser } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aUser('staff')
const list = answer(businessUser.list, { rows: [item], total: 1 })

describe('user list', () => {
  it('has the columns of the specification and opens the detail [2.21, 2.60]', async () => {
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: '/user',
      as: 'admin',
      answers: [list, answer(businessUser.get, item)],
    })
    const table = await screen.findByRole('table', { name: 'Users' })
    const cell = await within(table).findByText(item.email)
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Status', 'Organization', 'First Name', 'Last Name', 'User Type', 'Email'])
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/List$/)
    // What names a row is its link, for those who go from link to link.
    expect(within(table).getByRole('link', { name: item.email })).toHaveAttribute('href', `/user/detail/${item.id}`)
    await user.click(cell)
    expect(path()).toBe(`/user/detail/${item.id}`)
  })

  it('offers each button to those who may [2.60, 6.07]', async () => {
    renderScreen(<App notFound={null} />, { at: '/user', as: 'admin', answers: [list] })
    expect(await screen.findByRole('button', { name: 'Add User' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Send Updated Terms' })).not.toBeInTheDocument()
  })

  it('sends the updated terms after asking [2.60, 8.09]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/user',
      as: 'super_admin',
      answers: [list, answer(businessUser.sendUpdatedTermsOfUse, null)],
    })
    await user.click(await screen.findByRole('button', { name: 'Send Updated Terms' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Send Updated Terms' })).getByRole('button', { name: 'Send' }),
    )
    expect(await screen.findByText('Updated Terms of Use sent successfully')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('says so when the terms could not be sent [8.07]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/user',
      as: 'super_admin',
      answers: [
        list,
        answer(businessUser.sendUpdatedTermsOfUse, new CallError(503, 'NO_MAIL', 'The mail server does not respond.')),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Send Updated Terms' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Sending updated Terms of Use failed')).toBeInTheDocument()
    expect(await screen.findByText('The mail server does not respond.')).toBeInTheDocument()
  })
})

it('leaves an address that it does not know to the not-found page [2.37]', async () => {
  renderScreen(<App notFound={<p>nothing there</p>} />, { at: '/user/bogus', as: 'super_admin' })
  expect(await screen.findByText('nothing there')).toBeVisible()
})
