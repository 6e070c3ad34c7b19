import { LoginForm } from '@dmp/contract/account'
import { EmailField, PasswordField, SchemaForm } from '@dmp/kit/form'
import { signIn, type Outcome } from '../shared/signIn.ts'
import type { Credentials } from './LoginScreen.tsx'

/** The first step (2.42, 5.03). */
export function CredentialsForm({
  filled,
  onAnswer,
}: {
  filled: Credentials | undefined
  onAnswer: (outcome: Outcome, credentials: Credentials) => void
}) {
  return (
    <SchemaForm
      schema={LoginForm}
      defaults={filled ?? {}}
      call={({ email, password }) => signIn(email, password)}
      submitLabel="Submit"
      onDone={onAnswer}
    >
      <EmailField name="email" label="Email" autoComplete="username" autoFocus />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
    </SchemaForm>
  )
}
