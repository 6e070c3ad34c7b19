import { Skeleton } from '@dmp/kit/ui'

/** Stands in the place of a screen whose code or data are on their way. */
export function Waiting() {
  return (
    <div className="dmp-waiting" role="status" aria-label="Loading">
      <Skeleton rows={6} />
    </div>
  )
}
