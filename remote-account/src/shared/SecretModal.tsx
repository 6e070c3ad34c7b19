import { useState, type ReactNode } from 'react'
import { copy } from '@dmp/kit/screen'
import { Alert, Button, Modal, notify } from '@dmp/kit/ui'
import './SecretModal.css'

export interface SecretModalProps {
  /** The dialog's name. */
  readonly title: string
  /** What the secret is called: 'API token'. */
  readonly label: string
  readonly secret: string
  /** Says that it is shown this once, and where it belongs. */
  readonly warning: string
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** A secret, shown this once. */
export function SecretModal({ title, label, secret, warning, children, onClose }: SecretModalProps) {
  const [isRefused, setRefused] = useState(false)

  async function copySecret() {
    if (!(await copy(secret))) return setRefused(true)
    notify.success(`${label} copied to clipboard.`)
  }

  return (
    <Modal
      open
      title={title}
      mask={{ closable: false }}
      keyboard={false}
      footer={<Button onClick={onClose}>Close</Button>}
      onCancel={onClose}
    >
      <div className="secret-modal">
        <Alert type="warning" showIcon title={warning} />
        <div className="secret-copy">
          <input
            className="dmp-input"
            readOnly
            aria-label={label}
            value={secret}
            onFocus={(event) => event.target.select()}
          />
          <Button type="primary" onClick={() => void copySecret()}>
            Copy
          </Button>
        </div>
        {isRefused && (
          <Alert
            type="warning"
            showIcon
            title={`This browser does not allow copying. Select the ${label} and copy it manually.`}
          />
        )}
        {children}
      </div>
    </Modal>
  )
}
