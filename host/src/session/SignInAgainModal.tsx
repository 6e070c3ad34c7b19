import * as account from '@dmp/contract/account'
import { exact, Password } from '@dmp/contract/fields'
import { limits } from '@dmp/contract/limits'
import { call, session, settings, useSession } from '@dmp/kit'
import { PasswordField, SchemaForm, TextField } from '@dmp/kit/form'
import { Alert, Button, Modal } from '@dmp/kit/ui'
import { useState } from 'react'

const PasswordForm = exact({ password: Password })

interface Challenge {
  readonly userId: string
  readonly session: string
}

/** Asks for the password in place when the session ends over unsaved input (P27). The page behind stays as it is. */
export function SignInAgainModal() {
  const email = useSession(({ user }) => user?.email ?? '')
  const reason = useSession((state) => state.endedBecause)
  const [challenge, setChallenge] = useState<Challenge>()

  const proceed = async (answer: account.LoginTokens): Promise<void> => {
    if (answer.challengeName === 'MFA' && answer.userId && answer.session)
      setChallenge({ userId: answer.userId, session: answer.session })
    else if (answer.challengeName) throw new Error('You must choose a new password. Do so on the sign-in page.')
    else await session.begin(answer)
  }
  const { clientId } = settings()
  return (
    <Modal open title="Sign in to continue" closable={false} footer={null}>
      <Alert type="warning" showIcon title={reason} />
      <p>
        What you typed is still here. Sign in again as <strong>{email}</strong> to continue where you left off.
      </p>
      {challenge ? (
        <SchemaForm
          key="code"
          schema={account.MfaForm}
          call={({ mfaCode }) => call(account.respondToMFA, { clientId, ...challenge, mfaCode }).then(proceed)}
          submitLabel="Submit"
          draft={false}
          onDone={() => {}}
        >
          <TextField
            name="mfaCode"
            label="Verification code"
            autoComplete="one-time-code"
            inputMode="numeric"
            max={limits.mfaCodeMaxChars}
            autoFocus
          />
        </SchemaForm>
      ) : (
        <SchemaForm
          key="password"
          schema={PasswordForm}
          call={({ password }) => call(account.login, { ClientId: clientId, email, password }).then(proceed)}
          submitLabel="Sign in"
          draft={false}
          onDone={() => {}}
        >
          <PasswordField name="password" label="Password" autoComplete="current-password" autoFocus />
        </SchemaForm>
      )}
      <Button type="link" danger onClick={session.abandon}>
        Discard and leave
      </Button>
    </Modal>
  )
}
