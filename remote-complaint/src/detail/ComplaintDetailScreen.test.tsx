import { complaint } from '@dmp/contract'
import { aComplaint, aComplaintCare, anId, complaintSeverities, complaintStatuses } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aComplaint({ currentStatus: 'New', severity: 'Low' })
const at = `/complaint/detail/${item.id}`
/** Asked beside every complaint. */
const care = answer(complaint.getCare, aComplaintCare())
const assignees = answer(complaint.listAssignees, [])
const lists = [
  care,
  assignees,
  answer(complaint.listStatuses, [...complaintStatuses]),
  answer(complaint.listSeverities, [...complaintSeverities]),
]
const getStatusId = (name: string) => complaintStatuses.find((status) => status.name === name)?.id

describe('complaint detail', () => {
  it('shows the basic details and the history [2.11, 2.49]', async () => {
    renderScreen(<App notFound={null} />, { at, as: 'staff', answers: [care, answer(complaint.get, item)] })
    expect(await screen.findByText(item.complaintNumber, { selector: 'dd bdi' })).toBeInTheDocument()
    expect(screen.getByText(item.description)).toBeInTheDocument()
    const history = screen.getByRole('table', { name: 'Status History' })
    expect(
      within(history)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Status', 'Created By', 'Created Date', 'Comment'])
  })

  it('offers no change to those who may not list statuses and severities [6.04]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [care, answer(complaint.get, item)],
    })
    await screen.findByText(item.complaintNumber, { selector: 'dd bdi' })
    expect(screen.queryByRole('button', { name: /Change/ })).not.toBeInTheDocument()
    expect([...calls(complaint.listStatuses), ...calls(complaint.listSeverities)]).toEqual([])
  })

  it.each([
    ['change them but not list them', ['UpdateStatus', 'UpdateSeverity']],
    ['list them but not change them', ['ListStatuses', 'ListSeverities']],
    ['list only one of the two', ['UpdateStatus', 'UpdateSeverity', 'ListStatuses']],
  ])('offers no change to those who may %s [6.04]', async (_what, actions) => {
    const policy = [{ moduleId: anId(1), module: 'Complaint', actions: ['List', 'Get', ...actions] }]
    const { calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      user: { policy } as never,
      answers: [answer(complaint.get, item), ...lists],
    })
    await screen.findByText(item.complaintNumber, { selector: 'dd bdi' })
    expect(screen.queryByRole('button', { name: /Change/ })).not.toBeInTheDocument()
    expect([...calls(complaint.listStatuses), ...calls(complaint.listSeverities)]).toEqual([])
  })

  it('changes the status with a comment; the current one is not offered [4.01, 5.10, 8.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(complaint.get, item),
        ...lists,
        answer(complaint.updateStatus, { ...item, currentStatus: 'Resolved' }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Change status' }))
    const offered = (await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)
    expect(offered).toEqual(['OnHold', 'Pending', 'InProgress', 'Resolved'])
    await user.click(screen.getByRole('menuitem', { name: 'Resolved' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change status' })
    const submit = within(dialog).getByRole('button', { name: 'Submit' })
    expect(submit).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Comment'), '   ')
    expect(submit).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Comment'), 'Fixed in 1.1')
    await user.click(submit)
    expect(await screen.findByText('Complaint status updated to Resolved')).toBeInTheDocument()
    expect(calls(complaint.updateStatus)).toEqual([
      expect.objectContaining({ id: item.id, statusId: getStatusId('Resolved'), comment: '   Fixed in 1.1' }),
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    // A second read would transfer the image again and record a second view (P24).
    expect(calls(complaint.get)).toHaveLength(1)
  })

  it('is resolved by R, a comment and Ctrl+Enter [4.01, P73]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [
        answer(complaint.get, item),
        ...lists,
        answer(complaint.updateStatus, { ...item, currentStatus: 'Resolved' }),
      ],
    })
    await screen.findByRole('button', { name: 'Change status' })
    await waitFor(() => expect(calls(complaint.listStatuses)).toHaveLength(1))
    await waitFor(async () => {
      await user.keyboard('r')
      expect(screen.getByRole('dialog', { name: 'Change status' })).toBeInTheDocument()
    })
    const dialog = within(screen.getByRole('dialog', { name: 'Change status' }))
    await user.type(await dialog.findByLabelText('Comment'), '{Control>}{Enter}{/Control}')
    await waitFor(() => expect(dialog.getByLabelText('Comment')).toBeInvalid())
    expect(calls(complaint.updateStatus)).toEqual([])
    await user.type(dialog.getByLabelText('Comment'), 'Mended{Enter}in 1.1{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Complaint status updated to Resolved')).toBeInTheDocument()
    expect(calls(complaint.updateStatus)).toEqual([
      expect.objectContaining({ statusId: getStatusId('Resolved'), comment: 'Mended\nin 1.1' }),
    ])
  })

  it('keeps the comment and says why when the change is refused [8.03]', async () => {
    const refusal = new CallError(409, 'CHANGED_MEANWHILE', 'Somebody changed this complaint meanwhile.')
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'super_admin',
      answers: [answer(complaint.get, item), ...lists, answer(complaint.updateStatus, refusal)],
    })
    await user.click(await screen.findByRole('button', { name: 'Change status' }))
    await user.click(await screen.findByRole('menuitem', { name: 'OnHold' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change status' })
    await user.type(within(dialog).getByLabelText('Comment'), 'Waiting for parts')
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Somebody changed this complaint meanwhile.')
    expect(within(dialog).getByLabelText('Comment')).toHaveValue('Waiting for parts')
  })

  it('changes the severity without a comment [4.02, 8.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'sys_admin',
      answers: [
        answer(complaint.get, item),
        ...lists,
        answer(complaint.updateSeverity, { ...item, severity: 'Critical' }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Change severity' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Critical' }))
    expect(await screen.findByText('Complaint severity updated to Critical')).toBeInTheDocument()
    expect(calls(complaint.updateSeverity)).toEqual([
      { id: item.id, severityId: complaintSeverities[3]?.id, seenUpdatedDate: item.updatedDate },
    ])
  })

  it('shows the image when there is one [2.49]', async () => {
    const imageData = { filename: 'slice.png', filesize: 68, fileDataURL: 'data:image/png;base64,iVBORw0KGgo=' }
    renderScreen(<App notFound={null} />, {
      at,
      as: 'staff',
      answers: [care, answer(complaint.get, aComplaint({ id: anId(10), imageData }))],
    })
    expect(await screen.findByRole('img', { name: /slice\.png/ })).toHaveAttribute('src', imageData.fileDataURL)
  })

  it('shows the error when the complaint cannot be had [8.03]', async () => {
    renderScreen(<App notFound={null} />, {
      at,
      as: 'staff',
      answers: [care, answer(complaint.get, new CallError(404, 'NOT_FOUND', 'There is no such complaint.'))],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such complaint.')
  })
})
