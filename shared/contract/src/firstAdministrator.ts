/** How an installation without accounts gets its first administrator: by a link that its server printed. */
import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Civility, Email, NewPassword, Password, exact, messages, personName, required } from './fields.ts'

const SetupToken = v.pipe(
  required(() => 'Open the set-up link that the server printed.'),
  v.maxLength(200, 'This set-up link is not valid.'),
)
const person = {
  civility: Civility,
  firstName: personName(() => 'Please enter a first name.'),
  lastName: personName(() => 'Please enter a last name.'),
  email: Email,
  newPassword: NewPassword,
}

/** 5.01, 5.04, 5.06, 5.07: the page of the set-up link. */
export const FirstAdministratorForm = v.pipe(
  exact({ ...person, confirmPassword: Password }),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['confirmPassword']],
      (input) => input.newPassword === input.confirmPassword,
      () => messages.passwordsMatch,
    ),
    ['confirmPassword'],
  ),
)
export type FirstAdministratorForm = v.InferOutput<typeof FirstAdministratorForm>

/** The page asks before it shows a form that could not be sent. The token travels in the body, which no log holds. */
export const checkSetupLink = endpoint({
  method: 'POST',
  path: '/account/checkSetupLink',
  summary: 'Whether a set-up link still opens an installation without an administrator.',
  needs: 'nothing',
  body: exact({ setupToken: SetupToken }),
})
/** Once only: afterwards there is an administrator, and no link works any more. */
export const addFirstAdministrator = endpoint({
  method: 'POST',
  path: '/account/addFirstAdministrator',
  summary: 'Create the first administrator of an empty installation with its set-up link.',
  needs: 'nothing',
  body: exact({ ...person, setupToken: SetupToken }),
})
