import { account, limits } from '@dmp/contract'
import { FirstAdministratorForm } from '@dmp/contract/account'
import { call, useLookup } from '@dmp/kit'
import { EmailField, PasswordField, SchemaForm, TextField, TitleField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, PublicScreen, Waiting } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { GoToLogin } from '../shared/GoToLogin.tsx'
import { signIn } from '../shared/signIn.ts'
import { useHashSecret } from './useHashSecret.ts'

const noLink = () =>
  new Error(
    'This page opens with the set-up link that the server printed when it started. For a new one: npm run admin -- setup-link',
  )

/** The page of the set-up link: the first administrator of an installation that has none. */
export function SetupScreen() {
  const setupToken = useHashSecret('/setup')
  const link = useLookup(account.checkSetupLink, { setupToken: setupToken ?? '' }, { enabled: Boolean(setupToken) })
  const failure = setupToken ? link.error : noLink()
  if (failure)
    return (
      <PublicScreen title="Set up">
        <ErrorAlert error={failure} />
        <GoToLogin />
      </PublicScreen>
    )
  return (
    <PublicScreen title="Set up" wide>
      {setupToken && !link.isPending ? <FirstAdministrator setupToken={setupToken} /> : <Waiting />}
    </PublicScreen>
  )
}

function FirstAdministrator({ setupToken }: { setupToken: string }) {
  const navigate = useNavigate()
  async function begin({ email, newPassword, civility, firstName, lastName }: FirstAdministratorForm) {
    await call(account.addFirstAdministrator, { setupToken, email, newPassword, civility, firstName, lastName })
    // The account is there, whatever becomes of signing in: the sign-in page then says what is wrong.
    return signIn(email, newPassword).catch(() => undefined)
  }
  return (
    <>
      <p>
        Nobody can sign in here yet. You become the first administrator, and the dashboard then leads you to the first
        picture.
      </p>
      <SchemaForm
        schema={FirstAdministratorForm}
        call={(form) => begin(form as FirstAdministratorForm)}
        columns={2}
        submitLabel="Create administrator"
        onDone={(outcome) => {
          notify.success('You are the first administrator')
          navigate(outcome?.next === 'in' ? '/dashboard' : '/login', { replace: true })
        }}
      >
        <TitleField name="civility" />
        <TextField name="firstName" label="First Name" max={limits.personNameMaxChars} autoFocus />
        <TextField name="lastName" label="Last Name" max={limits.personNameMaxChars} />
        <EmailField name="email" label="Email" autoComplete="username" />
        <PasswordField name="newPassword" label="Password" autoComplete="new-password" meter />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      </SchemaForm>
    </>
  )
}
