import { useState } from 'react'
import { MfaForm } from '@dmp/contract/account'
import { limits } from '@dmp/contract'
import { settings } from '@dmp/kit'
import { SchemaForm, TextField } from '@dmp/kit/form'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { answerCode, signIn, type Challenge, type Outcome } from '../shared/signIn.ts'
import type { Credentials } from './LoginScreen.tsx'
import { formatClock, useCountdown } from './useCountdown.ts'

interface CodeFormProps {
  readonly credentials: Credentials
  readonly challenge: Challenge
  readonly onAnswer: (outcome: Outcome, credentials: Credentials) => void
  readonly onCancel: () => void
}

/** The second step (2.42, 4.10): the mailed code, its remaining time, and a new code afterwards. */
export function CodeForm({ credentials, challenge, onAnswer, onCancel }: CodeFormProps) {
  // 9.05: 60 times the configured minutes.
  const { seconds, restart } = useCountdown(60 * settings().mfaMinutes)
  const [isResending, setResending] = useState(false)
  const [wasResent, setResent] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function resend() {
    setResending(true)
    setFailure(undefined)
    try {
      const outcome = await signIn(credentials.email, credentials.password)
      restart()
      setResent(true)
      onAnswer(outcome, credentials)
    } catch (error) {
      setFailure(error)
    } finally {
      setResending(false)
    }
  }

  const timeLeft = seconds > 0 && (
    <>
      Valid for{' '}
      <span role="timer" aria-label="Time left">
        {formatClock(seconds)}
      </span>
    </>
  )
  return (
    <div className="login-code">
      <p>
        <strong>Please enter your verification code</strong>
      </p>
      <p role="status">
        {wasResent ? 'We have sent a new code to ' : 'We have sent a code to '}
        {credentials.email}.{seconds > 0 ? '' : ' It has expired. Request a new one.'}
      </p>
      {/* The key empties the field for a new challenge. */}
      <SchemaForm
        key={challenge.session}
        schema={MfaForm}
        call={({ mfaCode }) => answerCode(challenge, mfaCode)}
        submitLabel="Submit"
        onDone={(outcome) => onAnswer(outcome, credentials)}
      >
        <TextField
          name="mfaCode"
          label="Verification code"
          autoComplete="one-time-code"
          inputMode="numeric"
          max={limits.mfaCodeMaxChars}
          side={timeLeft}
          autoFocus
        />
      </SchemaForm>
      <ErrorAlert error={failure} onClose={() => setFailure(undefined)} />
      <div className="login-links">
        <Button type="link" onClick={onCancel}>
          Back to login
        </Button>
        <Button type="link" disabled={seconds > 0} loading={isResending} onClick={() => void resend()}>
          Resend Code
        </Button>
      </div>
    </div>
  )
}
