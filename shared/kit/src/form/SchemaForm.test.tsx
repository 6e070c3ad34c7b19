import * as complaint from '@dmp/contract/complaint'
import { aComplaint, complaintTypes } from '@dmp/contract/examples'
import { ChangePasswordForm, LoginForm } from '@dmp/contract/account'
import { exact, required } from '@dmp/contract/fields'
import { UserDraft } from '@dmp/contract/user'
import { CallError } from '@dmp/kit'
import { Link, Route, Routes, useNavigate } from '@dmp/kit/router'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { PasswordField, SchemaForm, SelectField, TextAreaField, TextField, TitleField } from './index.ts'

const types = complaintTypes.map(({ id, name }) => ({ value: id, label: name }))
const [firstType] = types
const moduleId = '00000000-0000-4000-8000-000000000101'

function Complain({ onDone = () => {} }: { onDone?: () => void }) {
  return (
    <SchemaForm
      schema={complaint.add.definition.body}
      defaults={{ moduleId }}
      call={complaint.add}
      refreshes={[complaint.list]}
      submitLabel="Submit"
      clearLabel="Clear"
      draft="complaint"
      onDone={onDone}
    >
      <SelectField name="typeId" label="Type" options={types} />
      <TextAreaField name="description" label="Description" max={1024} />
    </SchemaForm>
  )
}
function ComplainAndGo() {
  const navigate = useNavigate()
  return <Complain onDone={() => navigate('/else')} />
}
const draw = (ui: React.ReactNode, answers: readonly Line[] = []) =>
  renderScreen(
    <Routes>
      <Route
        path="/form"
        element={
          <>
            {ui}
            <Link to="/else">elsewhere</Link>
          </>
        }
      />
      <Route path="/else" element={<p>elsewhere now</p>} />
    </Routes>,
    { at: '/form', answers },
  )

const submitButton = () => screen.getByRole('button', { name: 'Submit' })

describe('SchemaForm', () => {
  it('keeps Submit disabled while invalid and says why in the fields’ names [5.18, 5.09]', async () => {
    const { user } = draw(<Complain />)
    expect(submitButton()).toBeDisabled()
    expect(submitButton()).toHaveAccessibleDescription('Still needed: Type, Description.')
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    expect(submitButton()).toHaveAccessibleDescription('Still needed: Description.')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    expect(submitButton()).toBeEnabled()
  })

  it('shows a field’s message when it is left, in the contract’s words [5.09, 5.17]', async () => {
    const { user } = draw(<Complain />)
    await user.click(screen.getByLabelText('Type'))
    expect(screen.queryByText('This field is required!')).not.toBeInTheDocument()
    await user.tab()
    expect(screen.getByLabelText('Type')).toHaveAccessibleDescription('This field is required!')
    await user.tab()
    expect(screen.getByLabelText('Description')).toHaveAccessibleDescription(
      'Please provide details on your complaint.',
    )
    expect(screen.getByLabelText('Description')).toBeInvalid()
  })

  it('sends the values with the keys that no field edits, and leaves empty optional ones out [7.23]', async () => {
    const onDone = jest.fn()
    const { user, calls } = draw(<Complain onDone={onDone} />, [answer(complaint.add, aComplaint())])
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    await user.click(submitButton())
    await waitFor(() => expect(onDone).toHaveBeenCalled())
    expect(calls(complaint.add)).toEqual([{ typeId: firstType?.value, moduleId, description: 'It jumps.' }])
  })

  it('is disabled while the call is on its way, and calls once [5.09]', async () => {
    const { user, calls } = draw(<Complain />, [answer(complaint.add, 'pending')])
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    await user.dblClick(submitButton())
    await waitFor(() => expect(calls(complaint.add)).toHaveLength(1))
    expect(screen.getByLabelText('Description')).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Clear' })).toBeDisabled()
  })

  it('shows the refusal beside the button and the refused field’s sentence at the field [8.02, 8.03]', async () => {
    const refusal = new CallError(400, 'INVALID', 'Please check what you entered.', {
      fields: [{ path: 'description', message: 'Somebody said this already.' }],
    })
    const { user } = draw(<Complain />, [answer(complaint.add, refusal)])
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    await user.click(submitButton())
    expect(await screen.findByRole('alert')).toHaveTextContent('Please check what you entered.')
    expect(screen.queryByRole('button', { name: 'Close alert' })).not.toBeInTheDocument()
    expect(submitButton()).not.toHaveClass('dmp-button--danger')
    expect(screen.getByLabelText('Description')).toHaveAccessibleDescription('Somebody said this already.')
    expect(screen.getByLabelText('Description')).toHaveValue('It jumps.')
    await user.type(screen.getByLabelText('Description'), ' Again.')
    expect(screen.queryByText('Somebody said this already.')).not.toBeInTheDocument()
  })

  it('empties itself on Clear [2.50, 5.09]', async () => {
    const { user } = draw(<Complain />)
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.getByLabelText('Description')).toHaveValue('')
    expect(screen.getByLabelText('Type')).toHaveValue('')
    expect(submitButton()).toBeDisabled()
  })

  it('goes to the first wrong field on Enter [5.18]', async () => {
    const { user } = draw(
      <SchemaForm
        schema={exact({ name: required('Please enter a name.') })}
        call={async () => null}
        submitLabel="Submit"
        onDone={() => {}}
      >
        <TextField name="name" label="Name" />
      </SchemaForm>,
    )
    await user.type(screen.getByLabelText('Name'), '{Enter}')
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Please enter a name.')
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus())
  })

  it('asks before somebody leaves with something typed, stays on Stay and goes on Leave [P27]', async () => {
    const { user, path } = draw(<Complain />)
    await user.type(screen.getByLabelText('Description'), 'Half a sent')
    await user.click(screen.getByRole('link', { name: 'elsewhere' }))
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    expect(path()).toBe('/form')
    await user.click(within(dialog).getByRole('button', { name: 'Stay' }))
    expect(screen.getByLabelText('Description')).toHaveValue('Half a sent')
    await user.click(screen.getByRole('link', { name: 'elsewhere' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', {
        name: 'Leave',
      }),
    )
    await waitFor(() => expect(path()).toBe('/else'))
  })

  it('lets go right after a save, so that the way on is free [P27]', async () => {
    const { user, path } = draw(<ComplainAndGo />, [answer(complaint.add, aComplaint())])
    await user.selectOptions(screen.getByLabelText('Type'), 'Defect')
    await user.type(screen.getByLabelText('Description'), 'It jumps.')
    await user.click(submitButton())
    await waitFor(() => expect(path()).toBe('/else'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('brings what was typed back after a reload, and forgets it on Discard [P27]', async () => {
    const { user, unmount } = draw(<Complain />)
    await user.type(screen.getByLabelText('Description'), 'Half a sent')
    const kept = { ...sessionStorage }
    unmount()
    const again = draw(<Complain />)
    expect(Object.keys(kept)).toEqual(['draft:staff@example.org:complaint'])
    expect(screen.getByLabelText('Description')).toHaveValue('Half a sent')
    await again.user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByLabelText('Description')).toHaveValue('')
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('keeps a draft under its address without being told to, and gives it up when left [P27]', async () => {
    const form = (
      <SchemaForm schema={exact({ name: required() })} call={async () => null} submitLabel="Save" onDone={() => {}}>
        <TextField name="name" label="Name" />
      </SchemaForm>
    )
    const { user } = draw(form)
    await user.type(screen.getByLabelText('Name'), 'half')
    expect(Object.keys(sessionStorage)).toEqual(['draft:staff@example.org:/form Save'])
    await user.click(screen.getByRole('link', { name: 'elsewhere' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]))
  })

  it('asks nothing when only its own preselections are in it [5.07, 5.08, P27]', async () => {
    const { user, path } = draw(
      <SchemaForm schema={UserDraft} call={async () => null} submitLabel="Save" onDone={() => {}}>
        <TitleField />
        <SelectField
          name="roleId"
          label="User Role"
          options={[{ value: '00000000-0000-4000-8000-000000000701', label: 'Staff' }]}
        />
      </SchemaForm>,
    )
    expect(screen.getByLabelText('Title')).toHaveValue('Mr')
    await user.click(screen.getByRole('link', { name: 'elsewhere' }))
    await waitFor(() => expect(path()).toBe('/else'))
  })

  it('asks nothing about a sign-in: a public form asks only if it keeps a draft [2.42, P27]', async () => {
    const { user, path } = renderScreen(
      <Routes>
        <Route
          path="/login"
          element={
            <>
              <SchemaForm schema={LoginForm} call={async () => null} submitLabel="Submit" onDone={() => {}}>
                <TextField name="email" label="Email" />
              </SchemaForm>
              <Link to="/forgot-password">Forgot password</Link>
            </>
          }
        />
        <Route path="/forgot-password" element={<p>forgotten</p>} />
      </Routes>,
      { at: '/login', as: null },
    )
    await user.type(screen.getByLabelText('Email'), 'somebody')
    await user.click(screen.getByRole('link', { name: 'Forgot password' }))
    await waitFor(() => expect(path()).toBe('/forgot-password'))
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('never keeps a password in a draft [P23, P27]', async () => {
    const { user } = draw(
      <SchemaForm
        schema={ChangePasswordForm}
        call={async () => null}
        submitLabel="Submit"
        draft="secret"
        onDone={() => {}}
      >
        <PasswordField name="oldPassword" label="Current password" autoComplete="current-password" />
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" meter />
        <PasswordField name="confirmNewPassword" label="Confirm password" autoComplete="new-password" />
      </SchemaForm>,
    )
    await user.type(screen.getByLabelText('New password'), 'Canary-word-1')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('Canary')
  })

  it('names its fields in the order of the screen, and the others when one goes away [5.18]', async () => {
    function Changing() {
      const [isLong, setLong] = useState(true)
      return (
        <SchemaForm
          schema={exact({ familyName: required(), givenName: required() })}
          call={async () => null}
          submitLabel="Submit"
          onDone={() => {}}
        >
          <TextField name="givenName" label="First Name" />
          {isLong && <TextField name="familyName" label="Last Name" />}
          <button type="button" onClick={() => setLong(false)}>
            shorter
          </button>
        </SchemaForm>
      )
    }
    const { user } = draw(<Changing />)
    expect(submitButton()).toHaveAccessibleDescription('Still needed: First Name, Last Name.')
    await user.click(screen.getByRole('button', { name: 'shorter' }))
    expect(submitButton()).toHaveAccessibleDescription(
      'Still needed: First Name, something that this form does not show.',
    )
  })

  it('refuses a field that the schema lacks', () => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
    expect(() =>
      draw(
        <SchemaForm schema={exact({ name: required() })} call={async () => null} submitLabel="Submit" onDone={() => {}}>
          <TextField name="nmae" label="Name" />
        </SchemaForm>,
      ),
    ).toThrow('no nmae')
    jest.restoreAllMocks()
  })
})
