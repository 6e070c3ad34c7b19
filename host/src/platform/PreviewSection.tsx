import { endPreviews, listPreviews, type Preview } from '@dmp/contract/releasePreview'
import { useAct, useLookup } from '@dmp/kit'
import { DateText, ErrorAlert, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { formatCount } from './format.ts'

/** Previews that have not ended, each with its end; nothing where there are none. */
export function PreviewSection() {
  const { data: previews = [] } = useLookup(listPreviews, {})
  const { act, busy, error, reset } = useAct(endPreviews, { refreshes: [listPreviews] })
  if (previews.length === 0) return null
  return (
    <Section title="Previews">
      <p className="dmp-quiet">
        Not live. Super administrators and the people who are named open them by their address, signed in, and are asked
        first.
      </p>
      <ErrorAlert error={error} onClose={reset} />
      <ul className="dmp-platform-previews">
        {previews.map((preview) => (
          <li key={preview.id}>
            <Line preview={preview} />
            <a className="quality-link" href={preview.path} aria-label={`Open the preview of ${toName(preview)}`}>
              Open
            </a>
            <Button
              size="small"
              disabled={busy}
              aria-label={`End the preview of ${toName(preview)} for everybody`}
              onClick={() => void act({ part: preview.part, id: preview.id })}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const toName = ({ part, change, releaseId }: Preview): string => `${part} ${change ?? releaseId.slice(0, 8)}`

function Line({ preview }: { preview: Preview }) {
  const { by, endsDate, users } = preview
  return (
    <span>
      <strong>
        <bdi>{toName(preview)}</bdi>
      </strong>{' '}
      <span className="dmp-quiet">
        Until <DateText value={endsDate} format="moment" />, by <bdi>{by}</bdi>, for{' '}
        {users.length === 1 ? 'one named person' : `${formatCount(users.length)} named people`}
      </span>
    </span>
  )
}
