import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { Spinner } from './basics.tsx'
import './button.css'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  /** How much it stands out; default 'default', with a border. */
  readonly type?: 'default' | 'primary' | 'text' | 'link' | undefined
  readonly htmlType?: 'button' | 'submit' | 'reset' | undefined
  readonly size?: 'small' | 'middle' | undefined
  /** What it does cannot be taken back, or takes something away. */
  readonly danger?: boolean | undefined
  /** As wide as its surroundings. */
  readonly block?: boolean | undefined
  /** Stands before the text, or alone. */
  readonly icon?: ReactNode
  /** What was asked for is under way: another click does nothing. */
  readonly loading?: boolean | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button. The library's own would bring its engine for styles onto the first page (decision 0124). */
export function Button({
  type = 'default',
  htmlType = 'button',
  size = 'middle',
  danger = false,
  block = false,
  loading = false,
  icon,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const hasText = children !== undefined && children !== null && children !== false
  const shown = loading ? <Spinner /> : icon
  const looks = [
    'dmp-button',
    `dmp-button--${type}`,
    size === 'small' && 'dmp-button--small',
    danger && 'dmp-button--danger',
    block && 'dmp-button--block',
    loading && 'dmp-button--loading',
    !hasText && 'dmp-button--icon',
    className,
  ]
  function click(event: MouseEvent<HTMLButtonElement>) {
    // Also keeps it from sending its form.
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button {...rest} type={htmlType} className={looks.filter(Boolean).join(' ')} onClick={click}>
      {shown && <span className="dmp-button-icon">{shown}</span>}
      {typeof children === 'string' ? <span>{children}</span> : children}
    </button>
  )
}
