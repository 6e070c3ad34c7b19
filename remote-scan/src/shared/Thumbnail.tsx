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

/** The middle slice, to recognise a scan by; not for diagnosis. Without a picture its space stays. */
export function Thumbnail({ organizationId, studyUID, seriesUID, images, isLarge = false }: ThumbnailProps) {
  const src = usePicture(
    images === 0
      ? undefined
      : `/dicom-web/studies/${studyUID}/series/${seriesUID}/thumbnail?organizationId=${organizationId}`,
  )
  // Decoration beside the name that it belongs to.
  return (
    <span className={isLarge ? 'scan-thumbnail scan-thumbnail--large' : 'scan-thumbnail'}>
      {src && <img src={src} alt="" />}
    </span>
  )
}
