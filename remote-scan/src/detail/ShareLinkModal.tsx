import { lazy, Suspense, useState } from 'react'
import { copy } from '@dmp/kit/screen'
import { Alert, Button, Flex, Modal, notify } from '@dmp/kit/ui'

// Its library is for this dialog alone.
const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

interface ShareLinkModalProps {
  readonly link: string
  /** Who got it by mail. */
  readonly recipient: string | null
  readonly onClose: () => void
}

/** The link, shown this once: Copy Link copies it and closes (4.08). */
export function ShareLinkModal({ link, recipient, onClose }: ShareLinkModalProps) {
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
        {recipient !== null && <Alert type="success" showIcon title={`The link is on its way to ${recipient}.`} />}
        <p className="share-note">
          This link is shown only once. Anyone who has it can open the images without an account
          {recipient === null ? '' : ', with the password or code if you set one'}.
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
        <Suspense fallback={<div className="share-qr" />}>
          <QrCode text={link} label="The share link as a QR code" />
        </Suspense>
      </Flex>
    </Modal>
  )
}
