import { useState, type HTMLAttributes, type ReactNode } from 'react'
import {
  CheckCircleOutlined,
  CloseCircleOutlined,
  CloseOutlined,
  ExclamationCircleOutlined,
  InfoCircleOutlined,
} from './icons.tsx'
import './alert.css'

const icons = {
  success: CheckCircleOutlined,
  info: InfoCircleOutlined,
  warning: ExclamationCircleOutlined,
  error: CloseCircleOutlined,
} as const

export interface AlertProps extends Omit<HTMLAttributes<HTMLDivElement>, 'title'> {
  /** Default 'info'. */
  readonly type?: keyof typeof icons | undefined
  readonly title?: ReactNode
  /** What it means and what to do, below the title. */
  readonly description?: ReactNode
  readonly showIcon?: boolean | undefined
  /** Buttons at its end. */
  readonly action?: ReactNode
  /** With a cross by which one puts it away. */
  readonly closable?: { readonly onClose?: () => void; readonly 'aria-label': string } | undefined
}

/** What happened, in the colour of how much it matters; read out when it appears. */
export function Alert({
  type = 'info',
  title,
  description,
  showIcon = false,
  action,
  closable,
  className = '',
  ...rest
}: AlertProps) {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  const Icon = icons[type]
  function close() {
    setClosed(true)
    closable?.onClose?.()
  }
  return (
    <div
      role="alert"
      {...rest}
      className={`dmp-alert dmp-alert--${type} ${description ? 'dmp-alert--long' : ''} ${className}`}
    >
      {showIcon && <Icon className="dmp-alert-icon" />}
      <div className="dmp-alert-words">
        {title && <div className="dmp-alert-title">{title}</div>}
        {description && <div className="dmp-alert-description">{description}</div>}
      </div>
      {action && <div className="dmp-alert-action">{action}</div>}
      {closable && (
        <button type="button" className="dmp-alert-close" aria-label={closable['aria-label']} onClick={close}>
          <CloseOutlined />
        </button>
      )}
    </div>
  )
}
