import { recordActivity } from '@dmp/kit'
import { Button, Modal } from '@dmp/kit/ui'
import { useEffect, useState } from 'react'
import { formatCountdown } from './formatCountdown.ts'

export interface IdleModalProps {
  /** ms since 1970 */
  readonly until: number
  /** The live channel sent the warning, which has its own wording (2.40). */
  readonly isFromLive: boolean
}

/** The idle warning (2.40, 4.13). Any activity closes it, in every tab. */
export function IdleModal({ until, isFromLive }: IdleModalProps) {
  const [now, setNow] = useState(() => Date.now())
  // A timer is outside React.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const remainingTime = formatCountdown(until - now)
  return (
    <Modal
      open
      title="Are you still there?"
      closable={false}
      footer={
        <Button type="primary" onClick={() => recordActivity()}>
          Stay signed in
        </Button>
      }
    >
      {isFromLive ? (
        <p>Your session has been idle and will expire soon.</p>
      ) : (
        <p>
          We&apos;ve noticed your session&apos;s been inactive for a while. For your account security, your session will
          timeout in
        </p>
      )}
      <p className="dmp-countdown" role="timer" aria-label="Time left">
        {remainingTime}
      </p>
    </Modal>
  )
}
