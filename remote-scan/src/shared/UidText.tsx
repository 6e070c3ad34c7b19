import './uid.css'

/**
 * A DICOM UID in a narrow column: its end, which differs, stays visible; the tooltip has all of it, and it can be
 * copied.
 */
export function UidText({ uid }: { uid: string }) {
  return (
    <span className="scan-uid" title={uid}>
      <bdi dir="ltr">{uid}</bdi>
    </span>
  )
}
