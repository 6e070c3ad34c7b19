import { sign } from '@dmp/contract/sign'
import { settings } from '../settings.ts'

/** The sign of the product beside its name (1.01). */
export function Wordmark() {
  return (
    <span className="dmp-wordmark">
      <svg viewBox={sign.box} aria-hidden="true">
        <rect width="32" height="32" rx="7" fill={sign.ground} />
        <path
          d={sign.path}
          fill="none"
          stroke={sign.line}
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>{settings().applicationName}</span>
    </span>
  )
}
