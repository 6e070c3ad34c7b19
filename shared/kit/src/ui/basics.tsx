import type { ChangeEvent, CSSProperties, ReactNode } from 'react'

// The browser draws these without a library, which makes the first page a third smaller.

const gaps = { small: 8, middle: 16, large: 24 } as const

export interface FlexProps {
  readonly vertical?: boolean
  readonly wrap?: boolean
  readonly align?: CSSProperties['alignItems']
  readonly justify?: CSSProperties['justifyContent']
  /** px, or a step of the 8 px grid. */
  readonly gap?: keyof typeof gaps | number
  readonly className?: string
  readonly children: ReactNode
}

/** Places its children beside or below each other. */
export function Flex({ vertical = false, wrap = false, align, justify, gap = 0, className, children }: FlexProps) {
  const style: CSSProperties = {
    display: 'flex',
    flexDirection: vertical ? 'column' : 'row',
    flexWrap: wrap ? 'wrap' : 'nowrap',
    alignItems: align,
    justifyContent: justify,
    gap: typeof gap === 'number' ? gap : gaps[gap],
  }
  return (
    <div className={className} style={style}>
      {children}
    </div>
  )
}

/** A box with a border. */
export function Card({ className = '', children }: { className?: string; children: ReactNode }) {
  return <div className={`dmp-card ${className}`}>{children}</div>
}

export interface CheckboxProps {
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange?: (event: ChangeEvent<HTMLInputElement>) => void
  /** The accessible name, where there is no text. */
  readonly 'aria-label'?: string
  readonly children?: ReactNode
}

/** A box to tick outside of forms. */
export function Checkbox({ children, checked, ...rest }: CheckboxProps) {
  return (
    <label className="dmp-check">
      <input type="checkbox" checked={checked} readOnly={!rest.onChange} {...rest} />
      {children && <span>{children}</span>}
    </label>
  )
}

export interface ProgressProps {
  /** 0 to 100 */
  readonly percent: number
  /** Names the work in progress. */
  readonly 'aria-label': string
  readonly size?: 'small' | 'default'
  readonly status?: 'normal' | 'active' | 'exception' | 'success'
}

/** Progress as a bar and a number. */
export function Progress({
  percent,
  size = 'default',
  status = percent >= 100 ? 'success' : 'normal',
  'aria-label': label,
}: ProgressProps) {
  const percentage = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <div
      className={`dmp-progress dmp-progress--${size}`}
      data-status={status}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentage}
    >
      <span className="dmp-progress-rail">
        <span style={{ width: `${percentage}%` }} />
      </span>
      <span className="dmp-progress-number">{percentage}%</span>
    </div>
  )
}

export interface SkeletonProps {
  /** Grey lines below the title. */
  readonly rows?: number
  readonly title?: boolean
}

/** Grey lines in place of content that is loading. */
export function Skeleton({ rows = 3, title = true }: SkeletonProps) {
  return (
    <div className="dmp-skeleton" aria-hidden>
      {title && <span className="dmp-grey" style={{ width: '38%' }} />}
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="dmp-grey" style={{ width: row === rows - 1 ? '61%' : '100%' }} />
      ))}
    </div>
  )
}

/** Spinner. The surrounding text says what is loading. */
export function Spinner() {
  return <span className="dmp-spinner" aria-hidden />
}
