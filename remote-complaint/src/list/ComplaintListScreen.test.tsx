import { complaint } from '@dmp/contract'
import { aComplaint, aComplaintRow } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

describe('complaint list', () => {
  it('has the columns of the specification and opens the detail of a row [2.10, 2.48]', async () => {
    const row = aComplaintRow()
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: '/complaint',
      as: 'admin',
      answers: [answer(complaint.list, { rows: [row], total: 1 }), answer(complaint.get, aComplaint())],
    })
    const table = await screen.findByRole('table', { name: 'Complaints' })
    const link = await within(table).findByRole('link', { name: row.complaintNumber })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Complaint #', 'Status', 'Module', 'Severity', 'Type', 'Description', 'Created Date'])
    const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
    expect(within(trail).getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(within(trail).getByText('List')).toBeInTheDocument()
    await user.click(link)
    expect(path()).toBe(`/complaint/detail/${row.id}`)
  })

  it('lists the open ones where the address or a person chooses them', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/complaint?state=open',
      as: 'admin',
      answers: [answer(complaint.list, { rows: [aComplaintRow()], total: 1 })],
    })
    await screen.findByRole('link', { name: aComplaintRow().complaintNumber })
    expect(calls(complaint.list)).toMatchObject([{ state: 'open' }])
    await user.selectOptions(screen.getByRole('combobox', { name: 'Shown' }), 'All complaints')
    await waitFor(() => expect(calls(complaint.list).at(-1)).not.toHaveProperty('state'))
    expect(path()).not.toContain('state=')
  })

  it('lists those that wait for as long as the dashboard counts them, and lets the age go with the rest [P53]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/complaint?state=open&wait=week',
      as: 'admin',
      answers: [answer(complaint.list, { rows: [aComplaintRow()], total: 1 })],
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Age' }), 'More than 30 days')
    await waitFor(() => expect(calls(complaint.list).map(({ wait }) => wait)).toEqual(['week', 'longer']))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Shown' }), 'All complaints')
    await waitFor(() => expect(path()).not.toContain('wait='))
    expect(screen.queryByRole('combobox', { name: 'Age' })).toBeNull()
  })

  it('keeps a description of 1024 characters to a few lines, and whole in its title [9.02]', async () => {
    const description = 'x'.repeat(1024)
    renderScreen(<App notFound={null} />, {
      at: '/complaint',
      as: 'admin',
      answers: [answer(complaint.list, { rows: [aComplaintRow({ description })], total: 1 })],
    })
    const text = await screen.findByText(description)
    expect(text).toHaveClass('complaint-description')
    expect(text).toHaveAttribute('title', description)
  })

  it('says that there is nothing, and offers to make a complaint [2.63]', async () => {
    const { user, path } = renderScreen(<App notFound={null} />, {
      at: '/complaint',
      as: 'staff',
      answers: [answer(complaint.list, { rows: [], total: 0 }), answer(complaint.listTypes, [])],
    })
    expect(await screen.findByText('No record found.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Make a complaint' }))
    expect(path()).toBe('/complaint/add')
  })
})

it('leaves an address that it does not know to the not-found page [2.37]', async () => {
  renderScreen(<App notFound={<p>nothing there</p>} />, { at: '/complaint/bogus', as: 'super_admin' })
  expect(await screen.findByText('nothing there')).toBeVisible()
})
