import { dataWord } from '../language/dataWords.ts'
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  InfoCircleOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
} from './icons.tsx'
import type { ReactNode } from 'react'

export type BadgeTone = 'primary' | 'secondary' | 'success' | 'warning' | 'danger' | 'info' | 'dark'

/** Colours of 4.01, 4.02 (ours), 4.03, 4.04, 4.05, 4.07, 9.13; keys in lower case without spaces. */
const tones: Readonly<Record<string, BadgeTone>> = {
  new: 'secondary',
  onhold: 'warning',
  pending: 'primary',
  inprogress: 'primary',
  resolved: 'success',
  low: 'secondary',
  medium: 'info',
  high: 'warning',
  critical: 'danger',
  activated: 'success',
  deactivated: 'danger',
  created: 'success',
  notcreated: 'secondary',
  unknown: 'warning',
  approved: 'success',
  rejected: 'danger',
  enabled: 'success',
  disabled: 'secondary',
  yes: 'success',
  no: 'danger',
  autometrics: 'primary',
  bmd: 'success',
  ossview: 'info',
  peekmed: 'dark',
}

// Colour alone must not carry meaning, so each tone has a sign.
const signs: Readonly<Record<BadgeTone, ReactNode>> = {
  primary: <ClockCircleOutlined />,
  secondary: <MinusCircleOutlined />,
  success: <CheckCircleOutlined />,
  warning: <PauseCircleOutlined />,
  danger: <CloseCircleOutlined />,
  info: <InfoCircleOutlined />,
  dark: null,
}

/** The tone of a value of the specification; secondary for any other value. */
export function toTone(value: string): BadgeTone {
  return tones[value.toLowerCase().replace(/[\s_-]/g, '')] ?? 'secondary'
}

/**
 * A status as a coloured word with a sign (4.01, 4.03, 4.05, 9.13).
 *
 * @example <StatusBadge value={complaint.currentStatus} />
 */
export function StatusBadge({
  value,
  tone = toTone(value),
  plain = false,
}: {
  value: string
  tone?: BadgeTone
  plain?: boolean
}) {
  return (
    <span className={`dmp-badge dmp-badge--${tone}`}>
      {!plain && signs[tone] && (
        <span aria-hidden className="dmp-badge-sign">
          {signs[tone]}
        </span>
      )}
      {dataWord(value)}
    </span>
  )
}
