import { registration } from '@dmp/contract'
import { aRegistration } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

describe('registration list', () => {
  it('has the columns of the specification and opens the detail [2.17, 2.55]', async () => {
    const item = aRegistration()
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: '/registration',
      as: 'super_admin',
      answers: [answer(registration.list, { rows: [item], total: 1 }), answer(registration.get, item)],
    })
    const table = await screen.findByRole('table', { name: 'Registrations' })
    const cell = await within(table).findByText('ines.vogel@east.example')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Status', 'Registration Date', 'First Name', 'Last Name', 'Email', 'Organization'])
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/List$/)
    await user.click(cell)
    expect(path()).toBe(`/registration/detail/${item.id}`)
  })
})

it('lists one status where the address or a person chooses it', async () => {
  const { user, path, calls } = renderScreen(<App notFound={null} />, {
    at: '/registration?status=New',
    as: 'super_admin',
    answers: [answer(registration.list, { rows: [aRegistration()], total: 1 })],
  })
  await screen.findByText('ines.vogel@east.example')
  expect(calls(registration.list)).toMatchObject([{ status: 'New' }])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Shown' }), 'All registrations')
  await waitFor(() => expect(calls(registration.list).at(-1)).not.toHaveProperty('status'))
  expect(path()).not.toContain('status=')
})

it('lists those that wait for as long as the dashboard counts them, and lets the age go with the rest [P53]', async () => {
  const { user, path, calls } = renderScreen(<App notFound={null} />, {
    at: '/registration?status=New&wait=week',
    as: 'super_admin',
    answers: [answer(registration.list, { rows: [aRegistration()], total: 1 })],
  })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Age' }), 'More than 30 days')
  await waitFor(() => expect(calls(registration.list).map(({ wait }) => wait)).toEqual(['week', 'longer']))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Shown' }), 'All registrations')
  await waitFor(() => expect(path()).not.toContain('wait='))
  expect(screen.queryByRole('combobox', { name: 'Age' })).toBeNull()
})

it('leaves an address that it does not know to the not-found page [2.37]', async () => {
  renderScreen(<App notFound={<p>nothing there</p>} />, { at: '/registration/bogus', as: 'super_admin' })
  expect(await screen.findByText('nothing there')).toBeVisible()
})

describe('without any registration [P50]', () => {
  const draw = (at: string, as: 'super_admin' | 'sys_admin' = 'super_admin') =>
    renderScreen(<App notFound={null} />, { at, as, answers: [answer(registration.list, { rows: [], total: 0 })] })

  it('says where customers register, and offers to add one', async () => {
    const { user, path } = draw('/registration')
    expect(await screen.findByText(/New customers register at .*\/register/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add an organization yourself' }))
    expect(path()).toBe('/organization/add')
  })

  it.each(['/registration?status=Rejected', '/registration?searchTerm=nobody'])(
    'says neither at %s, where something was searched for',
    async (at) => {
      draw(at)
      expect(await screen.findByText(/^No record found/)).toBeVisible()
      expect(screen.queryByText(/New customers register/)).not.toBeInTheDocument()
    },
  )
})

it('shows new ones of any age again, and offers an organization only to those who may add one', async () => {
  const policy = toPolicy('super_admin').map((entry) =>
    entry.module === 'Organization' ? { ...entry, actions: ['List'] } : entry,
  )
  const { user, path, calls } = renderScreen(<App notFound={null} />, {
    at: '/registration?status=New&wait=week',
    as: 'super_admin',
    user: { policy },
    answers: [answer(registration.list, { rows: [], total: 0 })],
  })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Age' }), 'Of any age')
  await waitFor(() => expect(calls(registration.list).at(-1)).not.toHaveProperty('wait'))
  expect(path()).not.toContain('wait')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Shown' }), 'All registrations')
  expect(await screen.findByText(/^New customers register at/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add an organization yourself' })).toBeNull()
})
