import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Button } from '@dmp/kit/ui'
import { isNarrowed, type WorklistState } from './worklistState.ts'

/** Why there is nothing, and the next step. */
export function EmptyWorklist({ state, onClear }: { state: WorklistState; onClear: () => void }) {
  const navigate = useNavigate()
  const mayUpload = useCan(may('Scan', 'Upload'))
  if (isNarrowed(state))
    return (
      <div className="worklist-empty" role="status">
        <p>
          <strong>No studies match{state.search ? ` “${state.search}”` : ''}</strong>
        </p>
        <p>Try fewer words or filters.</p>
        <Button onClick={onClear}>Show all studies</Button>
      </div>
    )
  return (
    <div className="worklist-empty" role="status">
      <p>
        <strong>No studies yet</strong>
      </p>
      <p>
        Studies appear here as soon as they are uploaded{mayUpload ? '. You can also drop files on this page.' : '.'}
      </p>
      {mayUpload && (
        <Button type="primary" onClick={() => void navigate('/scan/upload')}>
          Upload the first scans
        </Button>
      )}
    </div>
  )
}
