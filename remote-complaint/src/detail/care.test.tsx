import { complaint } from '@dmp/contract'
import { aComplaint, aComplaintCare, anId } from '@dmp/contract/examples'
import { CallError, hasUnsaved } from '@dmp/kit'
import { answer, renderScreen, type Line, type Role } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aComplaint()
const sven = { id: anId(41), fullName: 'Mr Sven Holm' }
const message = {
  id: anId(42),
  createdByUser: 'Ms Ada Berg',
  createdDate: '2026-03-03T08:15:00.000Z',
  isFromWriter: true,
  text: 'Any news?',
}
const draw = (as: Role, ...answers: Line[]) =>
  renderScreen(<App notFound={null} />, {
    at: `/complaint/detail/${item.id}`,
    as,
    answers: [
      answer(complaint.get, item),
      answer(complaint.listStatuses, []),
      answer(complaint.listSeverities, []),
      answer(complaint.listAssignees, [sven]),
      ...answers,
    ],
  })
const section = async (name: string) => within(await screen.findByRole('region', { name }))

describe('who has a complaint in hand', () => {
  it('is chosen by those who handle complaints, with a day [P48]', async () => {
    let care = aComplaintCare()
    const { user, calls } = draw(
      'sys_admin',
      answer(complaint.getCare, () => care),
      answer(complaint.assign, ({ assigneeId, dueDate }) => {
        care = { ...care, assignee: assigneeId === null ? null : sven, dueDate, updatedDate: new Date().toISOString() }
        return care
      }),
    )
    const box = await section('In hand')
    await waitFor(() => expect(box.getByRole('option', { name: 'Mr Sven Holm' })).toBeInTheDocument())
    await user.selectOptions(box.getByLabelText('Assignee'), 'Mr Sven Holm')
    expect(await screen.findByText('Complaint assigned to Mr Sven Holm')).toBeInTheDocument()
    expect(calls(complaint.assign)).toEqual([
      { id: item.id, assigneeId: sven.id, dueDate: null, seenUpdatedDate: aComplaintCare().updatedDate },
    ])
    await waitFor(() => expect(box.getByLabelText('Due')).toBeEnabled())
    const due = box.getByLabelText('Due')
    fireEvent.change(due, { target: { value: '2026-12-24' } })
    expect(calls(complaint.assign)).toHaveLength(1)
    // Whoever leaves by the address bar is asked first.
    expect(hasUnsaved()).toBe(true)
    fireEvent.blur(due)
    await waitFor(() =>
      expect(calls(complaint.assign).at(-1)).toMatchObject({ assigneeId: sven.id, dueDate: '2026-12-24' }),
    )
    expect(await screen.findByText('Due date saved: 2026-12-24')).toBeInTheDocument()
    await waitFor(() => expect(box.getByLabelText('Due')).toHaveValue('2026-12-24'))
    await waitFor(() => expect(hasUnsaved()).toBe(false))
    fireEvent.change(box.getByLabelText('Due'), { target: { value: '2026-12-31' } })
    fireEvent.keyDown(box.getByLabelText('Due'), { key: 'Enter' })
    expect(await screen.findByText('Due date saved: 2026-12-31')).toBeInTheDocument()
  })

  it('asks for nothing where nothing was changed, nor twice, and gives it to nobody and no day [P48]', async () => {
    let care = aComplaintCare({ assignee: sven, dueDate: '2026-12-24' })
    const { user, calls } = draw(
      'sys_admin',
      answer(complaint.getCare, () => care),
      answer(complaint.assign, ({ assigneeId, dueDate }) => {
        care = { ...care, assignee: assigneeId === null ? null : sven, dueDate, updatedDate: new Date().toISOString() }
        return care
      }),
    )
    const box = await section('In hand')
    await waitFor(() => expect(box.getByRole('option', { name: 'Mr Sven Holm' })).toBeInTheDocument())
    const due = box.getByLabelText('Due')
    fireEvent.blur(due)
    fireEvent.keyDown(due, { key: 'Enter' })
    fireEvent.change(due, { target: { value: '2026-12-31' } })
    fireEvent.keyDown(due, { key: 'Tab' })
    fireEvent.change(due, { target: { value: '' } })
    expect(calls(complaint.assign)).toEqual([])
    // Enter, and the field that is left by it while the first is under way.
    fireEvent.keyDown(due, { key: 'Enter' })
    fireEvent.blur(due)
    expect(await screen.findByText('Due date removed')).toBeInTheDocument()
    expect(calls(complaint.assign)).toMatchObject([{ assigneeId: sven.id, dueDate: null }])
    await waitFor(() => expect(box.getByLabelText('Assignee')).toBeEnabled())
    await user.selectOptions(box.getByLabelText('Assignee'), 'Nobody')
    expect(await screen.findByText('Complaint assigned to nobody')).toBeInTheDocument()
    expect(calls(complaint.assign).at(-1)).toMatchObject({ assigneeId: null, dueDate: null })
  })

  it('has the day that another person has set meanwhile, in its field too [P48]', async () => {
    const late = { assignee: sven, updatedDate: '2026-03-05T09:00:00.000Z', dueDate: '2027-01-31' }
    const { user } = draw(
      'sys_admin',
      answer(complaint.getCare, aComplaintCare({ dueDate: '2026-12-24' })),
      answer(complaint.assign, aComplaintCare(late)),
    )
    const box = await section('In hand')
    await waitFor(() => expect(box.getByRole('option', { name: 'Mr Sven Holm' })).toBeInTheDocument())
    expect(box.getByLabelText('Due')).toHaveValue('2026-12-24')
    await user.selectOptions(box.getByLabelText('Assignee'), 'Mr Sven Holm')
    await waitFor(() => expect(box.getByLabelText('Due')).toHaveValue('2027-01-31'))
  })

  it('is read by the others, and says in words that it is overdue [P48]', async () => {
    draw('staff', answer(complaint.getCare, aComplaintCare({ assignee: sven, dueDate: '2026-03-04', isOverdue: true })))
    const box = await section('In hand')
    const person = await box.findByText('Mr Sven Holm')
    expect(person.parentElement).toHaveTextContent('Mr Sven Holm, due on 2026-03-04')
    expect(box.getByText('Overdue')).toBeVisible()
    expect(box.queryByLabelText('Assignee')).toBeNull()
  })

  it('cannot be had, and the complaint is there [8.03]', async () => {
    draw('staff', answer(complaint.getCare, new CallError(400, 'FAILED', 'This cannot be read.')))
    expect(await screen.findByText('This cannot be read.')).toBeVisible()
    expect(screen.getByText(item.description)).toBeVisible()
  })
})

describe('the conversation', () => {
  it('shows who wrote what, and sends a message that is not empty [P48]', async () => {
    const care = aComplaintCare({ mayWrite: true, messages: [message] })
    const sent = { ...message, id: anId(43), text: 'Which browser?', isFromWriter: false }
    const { user, calls } = draw(
      'staff',
      answer(complaint.getCare, care),
      answer(complaint.addMessage, { ...care, messages: [message, sent] }),
    )
    const talk = await section('Conversation')
    expect(talk.getByRole('listitem')).toHaveTextContent(/^Ms Ada Berg .*Any news\?$/)
    const send = talk.getByRole('button', { name: 'Send' })
    expect(send).toBeDisabled()
    await user.type(talk.getByLabelText('Message'), 'Which browser?')
    await user.click(send)
    await waitFor(() => expect(talk.getAllByRole('listitem')).toHaveLength(2))
    expect(calls(complaint.addMessage)).toEqual([{ id: item.id, text: 'Which browser?' }])
    await waitFor(() => expect(talk.getByLabelText('Message')).toHaveValue(''))
  })

  it('keeps the message that was refused, and says why [8.03, P48]', async () => {
    const refusal = new CallError(409, 'TOO_MANY_MESSAGES', 'This conversation is full.')
    const { user } = draw(
      'staff',
      answer(complaint.getCare, aComplaintCare({ mayWrite: true })),
      answer(complaint.addMessage, refusal),
    )
    const talk = await section('Conversation')
    await user.type(talk.getByLabelText('Message'), 'Hello')
    await user.click(talk.getByRole('button', { name: 'Send' }))
    expect(await talk.findByText('This conversation is full.')).toBeVisible()
    expect(talk.getByLabelText('Message')).toHaveValue('Hello')
  })

  it('is not there for people who take no part in it [P48]', async () => {
    draw('admin', answer(complaint.getCare, aComplaintCare({ assignee: sven })))
    await (await section('In hand')).findByText('Mr Sven Holm')
    expect(screen.queryByRole('region', { name: 'Conversation' })).toBeNull()
  })
})
