import type { complaint } from '@dmp/contract'
import { Section } from '@dmp/kit/screen'

export function ComplaintImage({ image }: { image: NonNullable<complaint.Complaint['imageData']> }) {
  return (
    <Section title="Image">
      <a href={image.fileDataURL} download={image.filename} aria-label={`Download ${image.filename}`}>
        <img
          src={image.fileDataURL}
          alt={`Attached to the complaint: ${image.filename}`}
          style={{ maxWidth: '100%', maxHeight: 480, borderRadius: 8 }}
        />
      </a>
    </Section>
  )
}
