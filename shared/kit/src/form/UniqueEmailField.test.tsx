import * as businessUser from '@dmp/contract/businessUser'
import { exact, Ticked } from '@dmp/contract/fields'
import { UserDraft } from '@dmp/contract/user'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { CheckboxField, SchemaForm, UniqueEmailField } from './index.ts'

const draw = (ui: React.ReactNode, answers: readonly Line[] = []) => renderScreen(ui, { at: '/form', answers })
const submitButton = () => screen.getByRole('button', { name: 'Submit' })

describe('an email that must be unique', () => {
  const unique = (
    <SchemaForm
      schema={exact({ email: UserDraft.entries.email })}
      call={async () => null}
      submitLabel="Submit"
      onDone={() => {}}
    >
      <UniqueEmailField name="email" label="Email" endpoint={businessUser.emailAvailable} />
    </SchemaForm>
  )

  it('ask whether an email is free and show the server’s text [5.04]', async () => {
    const { user, calls } = draw(unique, [
      answer(businessUser.emailAvailable, ({ email }) => ({
        available: email !== 'taken@north.example',
        message: 'This email is in use.',
      })),
    ])
    await user.type(screen.getByLabelText('Email'), 'taken@north.example')
    expect(submitButton()).toHaveAccessibleDescription('Checking: Email…')
    await user.tab()
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('This email is in use.'))
    expect(submitButton()).toBeDisabled()
    await user.clear(screen.getByLabelText('Email'))
    await user.type(screen.getByLabelText('Email'), 'free@north.example')
    await waitFor(() => expect(submitButton()).toBeEnabled())
    expect(calls(businessUser.emailAvailable).map(({ email }) => email)).toEqual([
      'taken@north.example',
      'free@north.example',
    ])
  })

  it('is sent by an Enter that came before the answer, once it is free, unless it is changed [5.04, 5.18]', async () => {
    const sent = jest.fn(async (values: { email: string }) => values)
    const { user, calls } = draw(
      <SchemaForm schema={exact({ email: UserDraft.entries.email })} call={sent} submitLabel="Submit" onDone={() => {}}>
        <UniqueEmailField name="email" label="Email" endpoint={businessUser.emailAvailable} />
      </SchemaForm>,
      [answer(businessUser.emailAvailable, { available: true, message: '' })],
    )
    const field = screen.getByLabelText('Email')
    await user.type(field, 'first@north.example{Enter}')
    await user.type(field, 'x')
    await waitFor(() => expect(submitButton()).toBeEnabled())
    expect(sent).not.toHaveBeenCalled()
    await user.type(field, 'y{Enter}')
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    expect(sent).toHaveBeenCalledWith({ email: 'first@north.examplexy' })
    expect(calls(businessUser.emailAvailable)).toHaveLength(2)
  })

  it('is checked once typing pauses, and a rate limit is shown [5.04, P19]', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { user, calls } = draw(unique, [
      answer(businessUser.emailAvailable, new CallError(429, 'SLOW_DOWN', 'Please wait a minute.')),
    ])
    await user.type(screen.getByLabelText('Email'), 'free@north.example')
    await act(() => jest.advanceTimersByTimeAsync(600))
    expect(calls(businessUser.emailAvailable)).toHaveLength(1)
    jest.useRealTimers()
    await user.tab()
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please wait a minute.'))
  })

  it('shows nothing of an address that stands there no more, however late the server answers [5.04]', async () => {
    const late = Promise.withResolvers<{ available: boolean; message: string }>()
    const { user, calls } = draw(unique, [
      answer(businessUser.emailAvailable, ({ email }) =>
        email === 'late@north.example' ? late.promise : { available: true, message: '' },
      ),
    ])
    const field = screen.getByLabelText('Email')
    await user.type(field, 'late@north.example')
    await waitFor(() => expect(calls(businessUser.emailAvailable)).toHaveLength(1))
    await user.clear(field)
    await user.type(field, 'free@north.example')
    await waitFor(() => expect(submitButton()).toBeEnabled())
    await act(async () => {
      late.resolve({ available: false, message: 'This email is in use.' })
      // An answer is read in some turns of the event loop.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setTimeout(next, 0))
    })
    expect(field).not.toHaveAccessibleDescription('This email is in use.')
    expect(submitButton()).toBeEnabled()
  })

  it.each([
    [59, (label: string) => label],
    [60, () => 'the box to tick'],
  ])('name a box with %i letters beside the button while it is not ticked [5.18]', async (letters, name) => {
    const label = 'I'.repeat(letters)
    const { user } = draw(
      <SchemaForm schema={exact({ isSure: Ticked() })} call={async () => null} submitLabel="Submit" onDone={() => {}}>
        <CheckboxField name="isSure" label={label} />
      </SchemaForm>,
    )
    expect(submitButton()).toHaveAccessibleDescription(`Still needed: ${name(label)}.`)
    await user.click(screen.getByRole('checkbox'))
    expect(screen.getByRole('checkbox')).toBeChecked()
    expect(submitButton()).toBeEnabled()
  })

  it('do not stand in the way when the uniqueness cannot be asked: the save decides [5.04, P28]', async () => {
    const { user } = draw(unique, [answer(businessUser.emailAvailable, new CallError(0, 'UNREACHABLE', ''))])
    await user.type(screen.getByLabelText('Email'), 'free@north.example')
    await waitFor(() => expect(submitButton()).toBeEnabled())
  })
})
