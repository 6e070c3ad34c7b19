import { usePicture } from '@dmp/kit'
import './thumbnail.css'

interface ThumbnailProps {
  readonly organizationId: string
  readonly studyUID: string
  readonly seriesUID: string
  /** 0 when the series holds no picture, such as a report: then none is requested. */
  readonly images: number | null
  readonly isLarge?: boolean
}

/** The middle slice, to recognise a scan by; not for diagnosis. A series without pictures is a sheet of paper. */
export function Thumbnail({ organizationId, studyUID, seriesUID, images, isLarge = false }: ThumbnailProps) {
  const src = usePicture(
    images === 0
      ? undefined
      : `/dicom-web/studies/${studyUID}/series/${seriesUID}/thumbnail?organizationId=${organizationId}`,
  )
  if (images === 0)
    return (
      <span className="scan-thumbnail scan-thumbnail--paper">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />
        </svg>
      </span>
    )
  // Decoration beside the name that it belongs to.
  return (
    <span className={isLarge ? 'scan-thumbnail scan-thumbnail--large' : 'scan-thumbnail'}>
      {src && <img src={src} alt="" />}
    </span>
  )
}
