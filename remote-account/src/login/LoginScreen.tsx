import { useState } from 'react'
import { settings, useSession } from '@dmp/kit'
import { Link, useLocation, useNavigate, returnTo } from '@dmp/kit/router'
import { PublicScreen } from '@dmp/kit/screen'
import { Alert, Flex } from '@dmp/kit/ui'
import type { Challenge, Outcome } from '../parts/signIn.ts'
import { CodeForm } from './CodeForm.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DemoAccounts } from './DemoAccounts.tsx'
import './login.css'

/** What is typed in the first step: resending the code repeats it (4.10). */
export interface Credentials {
  readonly email: string
  readonly password: string
}

export function LoginScreen() {
  const endedBecause = useSession((state) => state.endedBecause)
  const { state } = useLocation()
  const navigate = useNavigate()
  const [filled, setFilled] = useState<Credentials>()
  const [waiting, setWaiting] = useState<{ credentials: Credentials; challenge: Challenge }>()

  function proceed(outcome: Outcome, credentials: Credentials) {
    if (outcome.next === 'in') return navigate(returnTo(state), { replace: true })
    if (outcome.next === 'code') return setWaiting({ credentials, challenge: outcome.challenge })
    const { userId, session } = outcome.challenge
    return navigate(`/set-new-password/${encodeURIComponent(userId)}/${encodeURIComponent(session)}`, { replace: true })
  }

  // 4.10: back at the first step nothing is left of what was typed.
  function startAgain() {
    setFilled(undefined)
    setWaiting(undefined)
  }

  if (waiting) {
    return (
      <PublicScreen title="Login">
        <CodeForm {...waiting} onAnswer={proceed} onCancel={startAgain} />
      </PublicScreen>
    )
  }
  return (
    <PublicScreen title="Login">
      {endedBecause ? <Alert type="warning" showIcon title={endedBecause} className="login-ended" /> : null}
      <CredentialsForm key={filled?.email} filled={filled} onAnswer={proceed} />
      <Flex justify="space-between" className="login-links">
        <Link to="/forgot-password">Forgot password</Link>
        <Link to="/register">Register</Link>
      </Flex>
      {settings().isDemo ? <DemoAccounts onPick={setFilled} /> : null}
    </PublicScreen>
  )
}
