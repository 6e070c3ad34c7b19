import { limits } from '@dmp/contract/limits'
import { settings } from '@dmp/kit'
import { Facts } from '@dmp/kit/screen'
import { Button, Modal } from '@dmp/kit/ui'

/** 2.39, 3.19, 9.12: a static backdrop, closed with its button. */
export function DeviceLabelModal({ onClose }: { onClose: () => void }) {
  const { company, applicationName, productVersion } = settings()
  const { udi } = company
  return (
    <Modal
      title="Device Label"
      open
      centered
      width={1140}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className="dmp-label-name">
        {applicationName} {productVersion}
      </p>
      <Facts
        columns={2}
        facts={[
          { label: 'Manufacturer', value: company.name },
          { label: 'Manufacturer address', value: company.address },
          { label: 'Manufacture date', value: company.manufactureDate },
          { label: 'Authorised representative in the EU', value: company.ecRepAddress },
          { label: 'Unique device identifier (UDI)', value: udi.number },
          { label: 'UDI manufacture date', value: udi.manufactureDate },
          { label: 'UDI version', value: udi.version },
          { label: 'Company website', value: <Outside address={company.website} /> },
          { label: 'Manual', value: <Outside address={company.manualLink} /> },
          { label: 'Label document number', value: company.labelDocumentNumber },
        ]}
      />
      <p className="dmp-label-warning">NOT FOR SALE</p>
      <p className="dmp-label-warning">NOT FOR CLINICAL USE</p>
      <p>
        Electronic instructions for use (eIFU): the instructions are available under the 'PRODUCT MANUALS' section after
        logging in. Printed instructions are provided free of charge within {limits.printedIfuDeliveryDays} calendar
        days of a request.
      </p>
    </Modal>
  )
}

function Outside({ address }: { address: string }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  )
}
