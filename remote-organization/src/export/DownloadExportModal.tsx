import { useState } from 'react'
import { limits, organization } from '@dmp/contract'
import type { OrganizationExport } from '@dmp/contract/organization'
import { formatBytes } from '@dmp/kit'
import { FormModal, PasswordField } from '@dmp/kit/form'
import { CopyText } from '@dmp/kit/screen'
import { Button, Modal } from '@dmp/kit/ui'

interface DownloadExportModalProps {
  readonly id: string
  readonly item: OrganizationExport
  readonly onClose: () => void
}

/** Asks for the password, begins the download, and shows the address for programs that go on after a break. */
export function DownloadExportModal({ id, item, onClose }: DownloadExportModalProps) {
  const [address, setAddress] = useState<string>()
  if (address !== undefined) return <AddressModal address={address} onClose={onClose} />
  return (
    <FormModal
      title="Download the export"
      // It holds the person's password.
      draft={false}
      schema={organization.ExportConfirmation}
      call={organization.downloadExport}
      input={{ id, exportId: item.id }}
      submitLabel="Download"
      onClose={onClose}
      onDone={({ downloadUrl }) => {
        const { href } = new URL(downloadUrl, window.location.href)
        window.open(href, '_blank', 'noopener,noreferrer')
        setAddress(href)
      }}
    >
      <p>
        The archive has {formatBytes(item.bytes ?? 0)} and holds patient data. Make sure that the disk has room for it
        and that nobody else can read it.
      </p>
      <PasswordField name="password" label="Your password" autoComplete="current-password" />
    </FormModal>
  )
}

function AddressModal({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Modal open title="Download started" onCancel={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <p>
        A download that breaks off goes on where it stopped: choose Resume in the list of downloads of your browser.
      </p>
      <p>
        A program such as curl or wget can fetch this address as well. It works for {limits.exportAddressHours} hours
        while you are signed in. Give it to nobody.
      </p>
      <p className="organization-export-address">
        <CopyText text={address} label="Address" />
      </p>
    </Modal>
  )
}
