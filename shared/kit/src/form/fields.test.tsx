import * as account from '@dmp/contract/account'
import { ComplaintDraft } from '@dmp/contract/complaint'
import { exact, Phone } from '@dmp/contract/fields'
import { UserDraft } from '@dmp/contract/user'
import { renderScreen, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import {
  CheckboxField,
  EmailField,
  PasswordField,
  PhoneField,
  SchemaForm,
  SelectField,
  SliderField,
  TextAreaField,
  TextField,
  TitleField,
} from './index.ts'

const { ChangePasswordForm } = account
const draw = (ui: React.ReactNode, answers: readonly Line[] = []) => renderScreen(ui, { at: '/form', answers })
const submitButton = () => screen.getByRole('button', { name: 'Submit' })

describe('fields', () => {
  it('say when new passwords differ, and which rules are unmet [5.01, 5.17]', async () => {
    const { user } = draw(
      <SchemaForm schema={ChangePasswordForm} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <PasswordField name="oldPassword" label="Current password" autoComplete="current-password" />
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" meter />
        <PasswordField name="confirmNewPassword" label="Confirm password" autoComplete="new-password" />
      </SchemaForm>,
    )
    await user.type(screen.getByLabelText('New password'), 'short')
    await user.tab()
    expect(screen.getByRole('meter', { name: 'Password strength' })).toHaveAttribute('aria-valuetext', 'Weak')
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
      /^Password should not start or end with spaces/,
    )
    await user.clear(screen.getByLabelText('New password'))
    await user.type(screen.getByLabelText('New password'), 'DemoPassw0rd!ok')
    await user.type(screen.getByLabelText('Confirm password'), 'DemoPassw0rd!')
    await user.tab()
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription('Please ensure the passwords match!')
    expect(submitButton()).toBeDisabled()
    await user.type(screen.getByLabelText('Confirm password'), 'ok')
    await user.type(screen.getByLabelText('Current password'), 'anything')
    expect(submitButton()).toBeEnabled()
  })

  it('say when what was pasted did not fit, and keep its beginning', async () => {
    const { user } = draw(
      <SchemaForm
        schema={exact({ name: v.string('Text.') })}
        call={async () => null}
        submitLabel="Submit"
        onDone={() => {}}
      >
        <TextField name="name" label="Name" max={5} />
      </SchemaForm>,
    )
    await user.click(screen.getByLabelText('Name'))
    await user.paste('Anna ')
    expect(screen.queryByText(/characters fit/)).toBeNull()
    await user.paste('Beck')
    expect(await screen.findByText('Only 5 characters fit into “Name”.')).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveValue('Anna ')
  })

  const anything = v.string('Text.')
  const every = exact({
    name: anything,
    secret: anything,
    kind: anything,
    place: anything,
    isOn: v.boolean('Yes or no.'),
    note: anything,
    days: v.number('A number.'),
  })
  const optionsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: `Option ${at}` }))
  const everyField = (call: () => Promise<null>, more: { disabled?: boolean } = {}) => (
    <SchemaForm
      schema={every}
      defaults={{ name: 'a', secret: 'b', kind: '1', place: '1', isOn: true, note: 'c', days: 2 }}
      call={call}
      submitLabel="Submit"
      onDone={() => {}}
    >
      <TextField name="name" label="Name" {...more} />
      <PasswordField name="secret" label="Secret" autoComplete="new-password" {...more} />
      <SelectField name="kind" label="Kind" options={optionsOf(2)} {...more} />
      <SelectField name="place" label="Place" options={optionsOf(16)} {...more} />
      <CheckboxField name="isOn" label="On" {...more} />
      <TextAreaField name="note" label="Note" {...more} />
      <SliderField name="days" label="Days" min={1} max={7} {...more} />
    </SchemaForm>
  )
  const changeable = () =>
    ['Name', 'Secret', 'Kind', 'Place', 'On', 'Note', 'Days'].filter(
      (label) => !(screen.getByLabelText(label) as HTMLInputElement).disabled,
    )

  it('cannot be changed while the call is on its way, nor where the form says so', async () => {
    const { user, unmount } = draw(everyField(() => new Promise(() => undefined)))
    expect(changeable()).toHaveLength(7)
    await user.click(submitButton())
    expect(changeable()).toEqual([])
    unmount()
    draw(everyField(async () => null, { disabled: true }))
    expect(changeable()).toEqual([])
  })

  it('count down to the last character that a text may have, and say how many are too many', async () => {
    const { user } = draw(
      <SchemaForm
        schema={exact({ note: anything })}
        defaults={{ note: 'abcd' }}
        call={async () => null}
        submitLabel="Submit"
        onDone={() => {}}
      >
        <TextAreaField name="note" label="Note" max={5} />
      </SchemaForm>,
    )
    expect(screen.getByText('1 left')).not.toHaveClass('dmp-over')
    await user.type(screen.getByLabelText('Note'), 'e')
    expect(screen.getByText('0 left')).not.toHaveClass('dmp-over')
    await user.type(screen.getByLabelText('Note'), 'f')
    expect(screen.getByText('1 too many')).toHaveClass('dmp-over')
  })

  it('do not show another option in place of one that is not offered any more [5.08]', () => {
    draw(
      <SchemaForm
        schema={exact({ kind: anything })}
        defaults={{ kind: 'gone' }}
        call={async () => null}
        submitLabel="Submit"
        onDone={() => {}}
      >
        <SelectField name="kind" label="Kind" options={optionsOf(2)} />
      </SchemaForm>,
    )
    expect(screen.getByRole('option', { name: 'Please choose' })).toBeInTheDocument()
  })

  it('hide a password until asked to show it, and again when asked once more [5.03]', async () => {
    const { user } = draw(
      <SchemaForm schema={account.LoginForm} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <EmailField name="email" label="Email" />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
      </SchemaForm>,
    )
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
    await user.type(screen.getByLabelText('Email'), 'nobody')
    await user.tab()
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email.')
  })

  it('take digits, plus, hyphen and space as a phone number and nothing else; none is fine [5.05]', async () => {
    const call = jest.fn(async () => null)
    const { user } = draw(
      <SchemaForm schema={exact({ mobile: Phone })} call={call} submitLabel="Submit" onDone={() => {}}>
        <PhoneField name="mobile" label="Mobile" />
      </SchemaForm>,
    )
    await user.type(screen.getByLabelText('Mobile'), '12a')
    await user.tab()
    expect(screen.getByLabelText('Mobile')).toHaveAccessibleDescription('Only numbers, +, -, and space allowed')
    await user.clear(screen.getByLabelText('Mobile'))
    await user.click(submitButton())
    await waitFor(() => expect(call).toHaveBeenCalledWith({ mobile: null }))
  })

  it('default the title to Mr, offer the five, and preselect the only role [5.07, 5.08]', async () => {
    const role = { value: '00000000-0000-4000-8000-000000000701', label: 'Staff' }
    draw(
      <SchemaForm schema={UserDraft} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <TitleField />
        <SelectField name="roleId" label="User Role" options={[role]} />
      </SchemaForm>,
    )
    expect(screen.getByLabelText('Title')).toHaveValue('Mr')
    expect(
      within(screen.getByLabelText('Title'))
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'])
    expect(screen.getByLabelText('User Role')).toHaveValue(role.value)
  })

  it('count the characters that are left and stop at none [5.09]', async () => {
    const { user } = draw(
      <SchemaForm schema={ComplaintDraft} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <TextAreaField name="description" label="Description" max={1024} />
      </SchemaForm>,
    )
    expect(screen.getByText('1024 left')).toBeVisible()
    await user.type(screen.getByLabelText('Description'), 'abcd')
    expect(screen.getByText('1020 left')).toBeVisible()
  })

  it.each([
    ['abc', 'Weak', 1],
    ['Aaaaaaaaaaa1', 'Weak', 1],
    ['Aaaaaaaaa1!', 'Weak', 1],
    ['Aaaaaaaaaa1!', 'Fair', 2],
    ['Aaaaaaaaaaaaa1!', 'Fair', 2],
    ['Aaaaaaaaaaaaaa1!', 'Good', 3],
    ['Abcdefghi1!i', 'Fair', 2],
    ['Abcdefghij1!', 'Good', 3],
    ['Abcdefghijklmn1!', 'Strong', 4],
  ])('say that %s is %s, with %i of four lines lit [5.01]', async (password, word, lines) => {
    const { container, user } = draw(
      <SchemaForm schema={ChangePasswordForm} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" meter />
      </SchemaForm>,
    )
    await user.click(screen.getByLabelText('New password'))
    await user.paste(password)
    expect(screen.getByRole('meter')).toHaveAttribute('aria-valuetext', word)
    expect(container.querySelectorAll('.dmp-meter-line [data-on="true"]')).toHaveLength(lines)
  })

  it('hide a password until asked, have no meter unless told, and say when Caps Lock is on', async () => {
    const { user } = draw(
      <SchemaForm schema={ChangePasswordForm} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <PasswordField
          name="oldPassword"
          label="Current password"
          autoComplete="current-password"
          help="The one until now."
        />
      </SchemaForm>,
    )
    const field = screen.getByLabelText('Current password')
    expect(field).toHaveAccessibleDescription('The one until now.')
    await user.type(field, 'abc')
    expect(field).toHaveAttribute('type', 'password')
    expect(field).toHaveAttribute('spellcheck', 'false')
    expect(screen.queryByRole('meter')).not.toBeInTheDocument()
    expect(field).toHaveAccessibleDescription('The one until now.')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field).toHaveAttribute('type', 'text')
    await user.type(field, '{CapsLock}')
    expect(field).toHaveAccessibleDescription('Caps Lock is on.')
  })

  it('choose a whole number on a slider, said in words [5.13]', async () => {
    const call = jest.fn(async () => null)
    const days = v.pipe(v.number('A number.'), v.minValue(1, 'Too few.'), v.maxValue(7, 'Too many.'))
    const { user } = draw(
      <SchemaForm
        schema={exact({ expireInDay: days })}
        defaults={{ expireInDay: 1 }}
        call={call}
        submitLabel="Submit"
        onDone={() => {}}
      >
        <SliderField
          name="expireInDay"
          label="Duration"
          min={1}
          max={7}
          words={(value) => `${value} ${value === 1 ? 'day' : 'days'}`}
        />
      </SchemaForm>,
    )
    const slider = screen.getByRole('slider', { name: 'Duration' })
    expect(slider).toHaveAttribute('aria-valuetext', '1 day')
    fireEvent.change(slider, { target: { value: '3' } })
    expect(screen.getByText('3 days')).toBeVisible()
    await user.click(submitButton())
    await waitFor(() => expect(call).toHaveBeenCalledWith({ expireInDay: 3 }))
  })
})
