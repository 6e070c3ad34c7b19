import { organization, registration } from '@dmp/contract'
import { toPolicy } from '@dmp/contract/policy'
import { CallError } from '@dmp/kit'
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

  it('says before anybody presses Approve that another organization has the name', async () => {
    const named = aRegistration({ sameNameId: northClinic.id })
    renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers: [answer(registration.get, named)] })
    expect(await screen.findByText('There is already an organization with the name East-Clinic.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the organization' })).toHaveAttribute(
      'href',
      `/organization/detail/${northClinic.id}`,
    )
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

  it('sends only the licenses that stay ticked, and nothing of them where none does [P50]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [answer(registration.get, pending), answer(registration.approve, approved)],
    })
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve registration' }))
    const tick = (name: string) => user.click(dialog.getByRole('checkbox', { name }))
    for (const name of ['BMD', 'PeekMed', 'BMD']) await tick(name)
    expect(dialog.getByRole('checkbox', { name: 'PeekMed' })).toBeChecked()
    expect(dialog.getByRole('checkbox', { name: 'BMD' })).not.toBeChecked()
    await user.click(dialog.getByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(calls(registration.approve)).toMatchObject([{ saas: 'PeekMed' }]))
  })

  const readiness = aReadiness({ saas: [] })
  const invitation = { email: 'ines.vogel@east.example', mail: 'over' } as const
  it.each([
    [{}, 'Has signed in', 'Nothing. The customer can work.'],
    [{ status: 'Deactivated' as const }, 'Has signed in', 'Activate the organization.'],
    [{ hasDatastore: false }, 'Not created: nothing can be uploaded yet', 'Create its datastore.'],
    [
      { confirmedAdministrators: 0 },
      'Nobody can sign in; add an administrator',
      'Wait until its administrator signs in.',
    ],
    [
      { confirmedAdministrators: 0, invitation, hasDatastore: false },
      'ines.vogel@east.example is invited; their temporary password is over',
      'Create its datastore. Wait until its administrator signs in.',
    ],
  ])('says what became of an approval, and what is left: %j [P50]', async (over, said, left) => {
    renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(registration.get, { ...approved, organizationId: northClinic.id }),
        answer(organization.getReadiness, { ...readiness, ...over }),
      ],
    })
    const became = within(await screen.findByRole('region', { name: 'What became of it' }))
    expect((await became.findByText('Left to do')).nextElementSibling).toHaveTextContent(new RegExp(`^${left}$`))
    expect(became.getByText(said, { exact: false })).toBeVisible()
  })

  it('says that it cannot tell what became of an approval, and to nobody who may not know [P50]', async () => {
    const answers = [
      answer(registration.get, { ...approved, organizationId: northClinic.id }),
      answer(organization.getReadiness, new CallError(500, 'INTERNAL', 'This did not work.')),
    ]
    const { unmount } = renderScreen(<App notFound={null} />, { at, as: 'super_admin', answers })
    expect(await screen.findByText('This did not work.')).toBeVisible()
    unmount()
    const policy = toPolicy('super_admin').filter(({ module }) => module !== 'Organization')
    const { calls } = renderScreen(<App notFound={null} />, { at, as: 'super_admin', user: { policy }, answers })
    expect(await screen.findByText('Mr Otto Krug')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'What became of it' })).toBeNull()
    expect(calls(organization.getReadiness)).toEqual([])
  })

  it.each([
    [['Get', 'Approve'], ['Approve']],
    [['Get', 'Reject'], ['Reject']],
    [['Get'], []],
  ])('offers to those who may %j: %j [4.05]', async (actions, offered) => {
    const policy = toPolicy('super_admin').map((entry) =>
      entry.module === 'Registration' ? { ...entry, actions } : entry,
    )
    renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      user: { policy },
      answers: [answer(registration.get, pending)],
    })
    await screen.findByText('New')
    const buttons = screen.queryAllByRole('button', { name: /^(?:Approve|Reject)$/ })
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
    expect(screen.queryByRole('region', { name: 'Registration pending' }) !== null).toBe(offered.length > 0)
  })
})
