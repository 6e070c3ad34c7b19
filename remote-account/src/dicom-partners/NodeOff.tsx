import { dicomPartner } from '@dmp/contract'
import type { DicomNode } from '@dmp/contract/dicomPartner'
import { useLookup } from '@dmp/kit'
import { Alert } from '@dmp/kit/ui'
import './dicom-partners.css'

/** Whether no port of the node is open; undefined as long as nobody knows. */
export function useIsNodeOff(): boolean | undefined {
  const { data } = useLookup(dicomPartner.getNode, {})
  return data && isOff(data)
}

const isOff = ({ port, tlsPort }: DicomNode): boolean =>
  (port === null || port === undefined) && (tlsPort === null || tlsPort === undefined)

/** Partners can be added meanwhile, and nobody would know why none of them comes. */
export function NodeOff() {
  if (useIsNodeOff() !== true) return null
  return (
    <Alert
      className="dicom-partners-off"
      type="warning"
      showIcon
      title="The DICOM node of this server is off: no partner can connect."
      description="Whoever runs the server turns it on by starting it with DMP_DICOM_PORT=11112, or for TLS with DMP_DICOM_TLS_PORT=2762, DMP_DICOM_CERTIFICATE_FILE and DMP_DICOM_KEY_FILE."
    />
  )
}
