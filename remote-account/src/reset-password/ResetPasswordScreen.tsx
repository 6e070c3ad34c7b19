import { account } from '@dmp/contract'
import { ResetPasswordForm } from '@dmp/contract/account'
import { call, settings } from '@dmp/kit'
import { PasswordField, SchemaForm } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, PublicScreen } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { GoToLogin } from '../shared/GoToLogin.tsx'
import { useSecretParams } from '../shared/useSecretParams.ts'

const incomplete = () => new Error('This link is incomplete. Open the link in our email again.')

export function ResetPasswordScreen() {
  const { secrets, forget } = useSecretParams('/reset-password')
  const { userId: UserId, code: ConfirmationCode } = secrets
  const navigate = useNavigate()
  if (!UserId || !ConfirmationCode) {
    return (
      <PublicScreen title="Reset your password">
        <ErrorAlert error={incomplete()} />
        <GoToLogin />
      </PublicScreen>
    )
  }
  return (
    <PublicScreen title="Reset your password">
      <SchemaForm
        schema={ResetPasswordForm}
        call={({ newPassword: NewPassword, confirmPassword: ConfirmNewPassword }) =>
          call(account.resetForgotPassword, {
            UserId,
            ConfirmationCode,
            NewPassword,
            ConfirmNewPassword,
            ClientId: settings().clientId,
          })
        }
        submitLabel="Reset Password"
        onDone={() => {
          forget()
          notify.success('Password changed successfully!')
          navigate('/login', { replace: true })
        }}
      >
        <PasswordField name="newPassword" label="Password" autoComplete="new-password" meter autoFocus />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      </SchemaForm>
      <GoToLogin />
    </PublicScreen>
  )
}
