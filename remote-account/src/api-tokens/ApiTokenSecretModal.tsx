import { useState } from 'react'
import type { NewApiToken } from '@dmp/contract/apiToken'
import { copy } from '@dmp/kit/screen'
import { Alert, Button, Modal, notify } from '@dmp/kit/ui'
import { ApiTokenUsage } from './ApiTokenUsage.tsx'

/** The secret, shown this once. */
export function ApiTokenSecretModal({ made, onClose }: { made: NewApiToken; onClose: () => void }) {
  const [isRefused, setRefused] = useState(false)

  async function copyToken() {
    if (!(await copy(made.token))) return setRefused(true)
    notify.success('API token copied to clipboard.')
  }

  return (
    <Modal
      open
      title={`API token for ${made.name}`}
      mask={{ closable: false }}
      keyboard={false}
      footer={<Button onClick={onClose}>Close</Button>}
      onCancel={onClose}
    >
      <div className="api-token-secret">
        <Alert
          type="warning"
          showIcon
          title="This is the only time that the API token is shown. Copy it to the machine now, and nowhere else."
        />
        <div className="api-token-copy">
          <input
            className="dmp-input"
            readOnly
            aria-label="API token"
            value={made.token}
            onFocus={(event) => event.target.select()}
          />
          <Button type="primary" onClick={() => void copyToken()}>
            Copy
          </Button>
        </div>
        {isRefused && (
          <Alert
            type="warning"
            showIcon
            title="This browser does not allow copying. Select the API token and copy it manually."
          />
        )}
        <ApiTokenUsage id={made.id} />
      </div>
    </Modal>
  )
}
