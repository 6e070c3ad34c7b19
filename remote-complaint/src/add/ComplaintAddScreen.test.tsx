import { complaint } from '@dmp/contract'
import { aComplaint, complaintTypes } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { App } from '../App.tsx'

const answers = [
  answer(complaint.listTypes, [...complaintTypes]),
  answer(complaint.add, aComplaint()),
  answer(complaint.list, { rows: [], total: 0 }),
]

async function choose(user: UserEvent, label: string, option: string) {
  await screen.findByRole('option', { name: option })
  await user.selectOptions(screen.getByLabelText(label), option)
}

const png = (bytes: number) => new File([new Uint8Array(bytes)], 'slice.png', { type: 'image/png' })

describe('make a complaint', () => {
  it('submits type, module and description and goes to the list [2.12, 2.50, 5.09, 6.08, 8.09]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, { at: '/complaint/add', as: 'staff', answers })
    const submit = await screen.findByRole('button', { name: 'Submit' })
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Make a complaint')
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/Complaint.*Add$/)
    expect(submit).toBeDisabled()
    await choose(user, 'Type', 'Defect')
    await choose(user, 'Module', 'Scan')
    await user.type(screen.getByLabelText('Description'), 'It does not open.')
    await user.click(submit)
    expect(await screen.findByText('Complaint has been submitted successfully')).toBeInTheDocument()
    expect(path()).toBe('/complaint')
    expect(calls(complaint.add)).toEqual([
      expect.objectContaining({ typeId: complaintTypes[0]?.id, description: 'It does not open.', imageData: null }),
    ])
  })

  it('says what is missing in the description and empties the form on Clear [5.09]', async () => {
    const { user } = renderScreen(<App notFound={null} />, { at: '/complaint/add', as: 'staff', answers })
    const description = await screen.findByLabelText('Description')
    await user.type(description, 'x')
    await user.clear(description)
    await user.tab()
    expect(await screen.findByText('Please provide details on your complaint.')).toBeInTheDocument()
    await user.type(description, 'Something')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(description).toHaveValue('')
  })

  it('sends the picked image serialized [3.10, 5.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, { at: '/complaint/add', as: 'staff', answers })
    await choose(user, 'Type', 'Defect')
    await choose(user, 'Module', 'Complaint')
    await user.type(screen.getByLabelText('Description'), 'See the picture.')
    await user.upload(screen.getByLabelText('Image'), png(100))
    await screen.findByRole('img', { name: /slice\.png/ })
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await screen.findByText('Complaint has been submitted successfully')
    const [sent] = calls(complaint.add)
    expect(JSON.parse(String(sent?.imageData))).toEqual({
      filename: 'slice.png',
      filesize: 100,
      fileDataURL: expect.stringMatching(/^data:image\/png;base64,/),
    })
  })

  it.each([
    ['too large an image', () => [png(2_097_153)], 'File size must be less than 2MB.'],
    [
      'another kind of file',
      () => [new File(['x'], 'notes.txt', { type: 'text/plain' })],
      'Only image files are allowed.',
    ],
  ])('refuses %s [5.09, 9.02]', async (_what, files, sentence) => {
    renderScreen(<App notFound={null} />, { at: '/complaint/add', as: 'staff', answers })
    await userEvent.setup({ applyAccept: false }).upload(await screen.findByLabelText('Image'), files())
    expect(await screen.findByText(sentence)).toBeInTheDocument()
  })
})
