import type { Override } from '@dmp/contract/override'
import { getPreview } from '@dmp/contract/releasePreview'
import { useLookup } from '@dmp/kit'
import { DateText } from '@dmp/kit/screen'
import { Button, Modal } from '@dmp/kit/ui'
import { useState } from 'react'
import { PreviewDetails } from './PreviewDetails.tsx'

interface Props {
  readonly override: Override
  readonly title: string
  readonly busy: boolean
  readonly onEnd: () => void
}

/** A preview on the bar: what it is, until when, what the platform says of it, and the way out. */
export function ActivePreview({ override: { part, version, releaseId, preview }, title, busy, onEnd }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const release = [version, releaseId].filter(Boolean).join(' · ')
  return (
    <li>
      <span>
        <strong>Preview of {title}</strong>, release {release}, until{' '}
        <DateText value={preview?.endsDate} format="moment" />: not live
      </span>
      <Button size="small" aria-label={`Details of the preview of ${title}`} onClick={() => setIsOpen(true)}>
        Details
      </Button>
      <Button size="small" disabled={busy} aria-label={`End the preview of ${title} in this browser`} onClick={onEnd}>
        End
      </Button>
      {isOpen && <Details part={part} id={preview?.id ?? ''} title={title} onClose={() => setIsOpen(false)} />}
    </li>
  )
}

function Details({ part, id, title, onClose }: { part: string; id: string; title: string; onClose: () => void }) {
  const { data, error } = useLookup(getPreview, { part, id })
  return (
    <Modal open title={`Preview of ${title}`} footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      {data && <PreviewDetails report={data} />}
      {error && (
        <p role="alert">
          {error.status === 404 ? 'This preview has ended. The next page that you open is live.' : error.message}
        </p>
      )}
    </Modal>
  )
}
