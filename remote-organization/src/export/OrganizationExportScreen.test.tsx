import { organization } from '@dmp/contract'
import { anExport, anOrganization, northClinic, southClinic } from '@dmp/contract/examples'
import { answer, expectAskedEvery, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const at = `/account/organization/export?organizationId=${northClinic.id}`
const ready = anExport()
const running = anExport({ state: 'Running', objectsDone: 300, bytes: null, readyDate: null, expiresDate: null })
const draw = (
  exports: readonly organization.OrganizationExport[],
  more: Parameters<typeof renderScreen>[1]['answers'] = [],
) =>
  renderScreen(<App notFound={null} />, {
    at,
    as: 'admin',
    answers: [answer(organization.listExports, [...exports]), ...more],
  })
const password = 'Some Passw0rd!'

describe('export of an organization', () => {
  it('asks for the password, starts, and shows how far it is [P70]', async () => {
    const { user, calls } = draw([], [answer(organization.startExport, [running])])
    expect(await screen.findByText('Nothing was exported in the last months.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Start export' }))
    const dialog = await screen.findByRole('dialog', { name: `Export ${northClinic.name}?` })
    await user.type(within(dialog).getByLabelText('Your password'), password)
    await user.click(within(dialog).getByRole('button', { name: 'Start export' }))
    expect(await screen.findByText('Export started')).toBeInTheDocument()
    expect(calls(organization.startExport)).toEqual([{ id: northClinic.id, password }])
    expect(await screen.findByRole('progressbar', { name: 'Export' })).toHaveAttribute('aria-valuenow', '25')
    expect(screen.getByRole('button', { name: 'Start export' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Stop' })).toBeInTheDocument()
  })

  it('is followed while somebody looks at the page, and at once when somebody does again [P70]', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = draw([running])
    await screen.findByRole('progressbar', { name: 'Export' })
    await expectAskedEvery(2500, () => calls(organization.listExports).length)
    jest.useRealTimers()
  })

  it('opens the download after the password, and gives the address to programs [P70]', async () => {
    const opened = jest.spyOn(window, 'open').mockReturnValue(null)
    const { user, calls } = draw([ready], [answer(organization.downloadExport, { downloadUrl: '/api/x' })])
    await user.click(await screen.findByRole('button', { name: 'Download' }))
    const dialog = await screen.findByRole('dialog', { name: 'Download the export' })
    expect(within(dialog).getByText(/The archive has 734 MB/)).toBeInTheDocument()
    await user.type(within(dialog).getByLabelText('Your password'), password)
    await user.click(within(dialog).getByRole('button', { name: 'Download' }))
    expect(await screen.findByRole('dialog', { name: 'Download started' })).toBeInTheDocument()
    expect(opened).toHaveBeenCalledWith(expect.stringContaining('/api/x'), '_blank', 'noopener,noreferrer')
    expect(calls(organization.downloadExport)).toEqual([{ id: northClinic.id, exportId: ready.id, password }])
    opened.mockRestore()
  })

  it('begins at nothing while nobody knows how much there is, and says that somebody ended one [P70]', async () => {
    draw([
      anExport({ state: 'Waiting', objects: 0, objectsDone: 0, bytes: null, readyDate: null, expiresDate: null }),
      anExport({ id: northClinic.id, state: 'Ended', reason: 'Person', endedBy: null }),
    ])
    expect(await screen.findByRole('progressbar', { name: 'Export' })).toHaveAttribute('aria-valuenow', '0')
    expect(screen.getByText('Somebody ended it.')).toBeVisible()
  })

  it('removes an archive after asking, and says who ended one [P70]', async () => {
    const ended = anExport({ state: 'Ended', reason: 'Person', endedBy: 'Ms Ada Berg' })
    const { user, calls } = draw([ready], [answer(organization.endExport, [ended])])
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove this archive?' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Ms Ada Berg ended it.')).toBeInTheDocument()
    expect(calls(organization.endExport)).toEqual([{ id: northClinic.id, exportId: ready.id }])
    expect(screen.queryByRole('button', { name: 'Download' })).not.toBeInTheDocument()
  })

  it('is offered beside the other actions, and asks nothing for those who may not [6.02, P70]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, { at, as: 'staff', answers: [] })
    expect(await screen.findByText('You are not allowed to export the organization.')).toBeInTheDocument()
    expect(calls(organization.listExports)).toEqual([])
  })

  it('names another organization that a super administrator exports [P70]', async () => {
    renderScreen(<App notFound={null} />, {
      at: `/account/organization/export?organizationId=${southClinic.id}`,
      as: 'super_admin',
      answers: [
        answer(organization.listExports, [anExport({ state: 'Failed', reason: 'Damaged' })]),
        answer(organization.get, anOrganization({ ...southClinic })),
      ],
    })
    expect(await screen.findByRole('heading', { name: `Export of ${southClinic.name}` })).toBeInTheDocument()
    expect(await screen.findByText(/A scan is damaged where it is stored/)).toBeInTheDocument()
  })
})
