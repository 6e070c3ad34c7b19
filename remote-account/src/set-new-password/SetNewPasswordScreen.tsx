import { useState } from 'react'
import { SetNewPasswordForm } from '@dmp/contract/account'
import { settings } from '@dmp/kit'
import { CheckboxField, PasswordField, SchemaForm } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, PublicScreen } from '@dmp/kit/screen'
import { Alert, notify } from '@dmp/kit/ui'
import { GoToLogin } from '../shared/GoToLogin.tsx'
import { answerNewPassword, PasswordIsSet, type Outcome } from '../shared/signIn.ts'
import { useSecretParams } from '../shared/useSecretParams.ts'

const incomplete = () => new Error('Sign in with your temporary password to open this page.')

export function SetNewPasswordScreen() {
  const { secrets, forget } = useSecretParams('/set-new-password')
  const { userId, session } = secrets
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(() => (userId && session ? undefined : incomplete()))

  // 4.10: any failure uses up the challenge; the user has to sign in again.
  const save = (newPassword: string) =>
    answerNewPassword({ userId: userId ?? '', session: session ?? '' }, newPassword)
      .catch(setFailure)
      .finally(forget)

  function proceed(outcome: Outcome | void) {
    if (!outcome) return
    if (outcome.next === 'in') return navigate('/dashboard', { replace: true })
    notify.success('Password changed successfully!')
    return navigate('/login', { replace: true })
  }

  if (failure) {
    return (
      <PublicScreen title="Set New Password">
        {failure instanceof PasswordIsSet && (
          <Alert type="success" showIcon title="The password is set. Use it in the uploader, or sign in again." />
        )}
        <ErrorAlert error={failure} />
        <GoToLogin />
      </PublicScreen>
    )
  }
  return (
    <PublicScreen title="Set New Password">
      <p>Choose your own password to continue.</p>
      <SchemaForm
        schema={SetNewPasswordForm}
        call={({ newPassword }) => save(newPassword)}
        submitLabel="Set New Password"
        onDone={proceed}
      >
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" meter autoFocus />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <CheckboxField
          name="terms"
          short="Terms of Use"
          label={
            <>
              I agree to the{' '}
              <a href={settings().company.termsOfUse} target="_blank" rel="noopener noreferrer">
                Terms of Use
              </a>
            </>
          }
        />
      </SchemaForm>
    </PublicScreen>
  )
}
