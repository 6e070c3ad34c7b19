import { useState } from 'react'
import { copy } from '@dmp/kit/screen'
import { Alert, Button, Flex, Modal, notify } from '@dmp/kit/ui'

/** The link, shown this once: Copy Link copies it and closes (4.08). */
export function ShareLinkModal({ link, onClose }: { link: string; onClose: () => void }) {
  const [isRefused, setRefused] = useState(false)

  async function copyLink() {
    if (!(await copy(link))) return setRefused(true)
    notify.success('Scan share link successfully copied to clipboard.')
    onClose()
  }

  return (
    <Modal
      open
      title="Share"
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={() => void copyLink()}>
          Copy Link
        </Button>
      }
      onCancel={onClose}
    >
      <Flex vertical gap="small">
        <p className="share-note">
          This link is shown only once. Anyone who has it can download the scan without an account.
        </p>
        <input
          className="dmp-input"
          readOnly
          aria-label="Share link"
          value={link}
          onFocus={(event) => event.target.select()}
        />
        {isRefused && (
          <Alert
            type="warning"
            showIcon
            title="This browser does not allow copying. Select the link and copy it manually."
          />
        )}
      </Flex>
    </Modal>
  )
}
