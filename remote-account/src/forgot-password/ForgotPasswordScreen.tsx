import { useState } from 'react'
import { account } from '@dmp/contract'
import { ForgotPasswordForm } from '@dmp/contract/account'
import { call, settings } from '@dmp/kit'
import { EmailField, SchemaForm } from '@dmp/kit/form'
import { PublicScreen } from '@dmp/kit/screen'
import { Alert } from '@dmp/kit/ui'
import { GoToLogin } from '../shared/GoToLogin.tsx'

export function ForgotPasswordScreen() {
  const [isSent, setIsSent] = useState(false)
  if (isSent) {
    return (
      <PublicScreen title="Forgot your password">
        <Alert
          type="success"
          showIcon
          role="status"
          title="We have sent you an email with the link to change your password. Kindly check your email."
        />
        <GoToLogin main />
      </PublicScreen>
    )
  }
  return (
    <PublicScreen title="Forgot your password">
      <p>We will email you a link to choose a new password.</p>
      <SchemaForm
        schema={ForgotPasswordForm}
        call={({ email }) => call(account.forgotPassword, { Email: email, ClientId: settings().clientId })}
        submitLabel="Get reset password link"
        onDone={() => setIsSent(true)}
      >
        <EmailField name="email" label="Email" autoComplete="username" autoFocus />
      </SchemaForm>
      <GoToLogin />
    </PublicScreen>
  )
}
