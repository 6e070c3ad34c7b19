import { Button, Modal } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { ErrorAlert } from './ErrorAlert.tsx'

export interface ConfirmModalProps {
  /** The dialog's name. */
  readonly title: string
  readonly children?: ReactNode
  /** The button's text, a verb: 'Delete'. */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** True while a required input inside is missing. */
  readonly disabled?: boolean
  readonly busy?: boolean
  readonly error?: unknown
  readonly onErrorClose?: () => void
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A question with two buttons; its error is a dismissible alert inside (8.03). Mount it only while open. */
export function ConfirmModal({
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  disabled = false,
  busy = false,
  error,
  onErrorClose,
  onConfirm,
  onClose,
}: ConfirmModalProps) {
  return (
    <Modal
      open
      title={title}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="primary" danger={danger} disabled={disabled} loading={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
      closable={!busy}
      mask={{ closable: false }}
      keyboard={!busy}
      onCancel={onClose}
    >
      {children}
      <ErrorAlert error={error} onClose={onErrorClose} />
    </Modal>
  )
}
