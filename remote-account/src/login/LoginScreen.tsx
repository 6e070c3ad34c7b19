import { lazy, Suspense, useState, type ComponentType } from 'react'
import { settings, useSession } from '@dmp/kit'
import { Link, useLocation, useNavigate, returnTo } from '@dmp/kit/router'
import { PublicScreen } from '@dmp/kit/screen'
import { Alert } from '@dmp/kit/ui'
import type { Challenge, Outcome } from '../shared/signIn.ts'
import { CodeForm } from './CodeForm.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import './login.css'

// Its script holds the password of the demo, so a production page never asks for it.
const DemoAccounts = lazy<ComponentType<{ onPick: (credentials: Credentials) => void }>>(() =>
  import('./DemoAccounts.tsx').catch(() => ({ default: () => null })),
)

/** The input of the first step. Resending the code sends it again (4.10). */
export interface Credentials {
  readonly email: string
  readonly password: string
}

export function LoginScreen() {
  const endedBecause = useSession((state) => state.endedBecause)
  const { state } = useLocation()
  const navigate = useNavigate()
  const [filled, setFilled] = useState<Credentials>()
  const [codeStep, setCodeStep] = useState<{ credentials: Credentials; challenge: Challenge }>()

  function proceed(outcome: Outcome, credentials: Credentials) {
    if (outcome.next === 'in') return navigate(returnTo(state), { replace: true })
    if (outcome.next === 'code') return setCodeStep({ credentials, challenge: outcome.challenge })
    const { userId, session } = outcome.challenge
    return navigate(`/set-new-password/${encodeURIComponent(userId)}/${encodeURIComponent(session)}`, { replace: true })
  }

  // 4.10: going back to the first step clears all input.
  function startAgain() {
    setFilled(undefined)
    setCodeStep(undefined)
  }

  if (codeStep) {
    return (
      <PublicScreen title="Login">
        <CodeForm {...codeStep} onAnswer={proceed} onCancel={startAgain} />
      </PublicScreen>
    )
  }
  return (
    <PublicScreen title="Login">
      {endedBecause ? <Alert type="warning" showIcon title={endedBecause} className="login-ended" /> : null}
      <CredentialsForm key={filled?.email} filled={filled} onAnswer={proceed} />
      <div className="login-links">
        <Link to="/forgot-password">Forgot password</Link>
        <Link to="/register">Register</Link>
      </div>
      {settings().isDemo && (
        <Suspense fallback={null}>
          <DemoAccounts onPick={setFilled} />
        </Suspense>
      )}
    </PublicScreen>
  )
}
