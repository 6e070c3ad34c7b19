import { organization, registration } from '@dmp/contract'
import { aReadiness, aRegistration, northClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const pending = aRegistration()
const rejected = aRegistration({
  status: 'Rejected',
  registrationStatus: {
    status: 'Rejected',
    createdDate: '2026-04-12T08:00:00.000Z',
    createdByUser: 'Mr Otto Krug',
    comment: 'No such clinic',
  },
})
const approved = aRegistration({
  status: 'Approved',
  registrationStatus: {
    status: 'Approved',
    createdDate: '2026-04-12T08:00:00.000Z',
    createdByUser: 'Mr Otto Krug',
    comment: null,
  },
})
const at = `/registration/detail/${pending.id}`

describe('registration detail', () => {
  it('approves after asking, and then hides the action box [2.18, 2.56, 4.05, 8.09]', async () => {
    let current = pending
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [answer(registration.get, () => current), answer(registration.approve, () => (current = approved))],
    })
    expect(await screen.findByRole('region', { name: 'Registration pending' })).toBeVisible()
    expect(screen.getByText('New')).toBeVisible()
    expect(screen.queryByText('Mr Otto Krug')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Approve registration' })).getByRole('button', {
        name: 'Approve',
      }),
    )
    expect(await screen.findByText('Registration for East-Clinic approved')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument())
    expect(screen.queryByRole('region', { name: /Actions|Registration pending/ })).not.toBeInTheDocument()
  })

  it('rejects with a comment through a dialog that says Rejected [4.05, 8.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'sys_admin',
      answers: [answer(registration.get, pending), answer(registration.reject, rejected)],
    })
    await user.click(await screen.findByRole('button', { name: 'Reject' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reject registration' })
    expect(within(dialog).getByText('Rejected')).toBeInTheDocument()
    const submit = within(dialog).getByRole('button', { name: 'Reject' })
    expect(submit).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Comment'), 'No such clinic')
    await user.click(submit)
    expect(await screen.findByText('Registration for East-Clinic rejected')).toBeInTheDocument()
    expect(calls(registration.reject)).toEqual([
      {
        id: pending.id,
        statusId: registration.registrationStatusIds.Rejected,
        comment: 'No such clinic',
        seenUpdatedDate: pending.updatedDate,
      },
    ])
  })

  it('shows the comment of a rejected one, and only Approve remains [4.05]', async () => {
    renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers: [answer(registration.get, rejected)] })
    expect(await screen.findByText('No such clinic')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Approve' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Reject' })).not.toBeInTheDocument()
  })

  it('has no action box once approved, and says by whom [2.18, 4.05]', async () => {
    renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers: [answer(registration.get, approved)] })
    expect(await screen.findByText('Approved')).toBeInTheDocument()
    expect(screen.getByText('Mr Otto Krug')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Actions' })).not.toBeInTheDocument()
  })

  it('says before what an approval makes, sends the licenses, and says afterwards what became of it [P50]', async () => {
    let current = pending
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(registration.get, () => current),
        answer(registration.approve, () => (current = { ...approved, organizationId: northClinic.id })),
        answer(
          organization.getReadiness,
          aReadiness({
            saas: ['BMD'],
            confirmedAdministrators: 0,
            invitation: { email: 'ines.vogel@east.example', mail: 'sent' },
          }),
        ),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve registration' }))
    expect(dialog.getByText(/creates its datastore, so that scans can be uploaded/)).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: 'BMD' }))
    await user.click(dialog.getByRole('checkbox', { name: 'PeekMed' }))
    await user.click(dialog.getByRole('button', { name: 'Approve' }))
    const became = await screen.findByRole('region', { name: 'What became of it' })
    await waitFor(() => expect(became).toHaveTextContent('Created: scans can be uploaded'))
    expect(became).toHaveTextContent('ines.vogel@east.example is invited; the mail has left')
    expect(became).toHaveTextContent('Wait until its administrator signs in.')
    expect(calls(registration.approve)).toMatchObject([{ saas: 'BMD,PeekMed' }])
  })
})
