import './uid.css'

/**
 * A DICOM UID in little room: its end, which tells one from another, stays visible; the whole is in the tooltip and can
 * be copied.
 */
export function UidText({ uid }: { uid: string }) {
  return (
    <span className="scan-uid" title={uid}>
      <bdi dir="ltr">{uid}</bdi>
    </span>
  )
}
