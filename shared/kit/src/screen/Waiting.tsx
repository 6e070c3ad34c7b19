import { Skeleton } from '@dmp/kit/ui'

interface WaitingProps {
  /** The place that is waited for: 'scan/detail'. */
  readonly name?: string | undefined
}

/** Places that are cards of facts, with another one at the side. */
const details = /\/(?:detail|patient|profile|organization)$/

/** Stands in the place of a screen whose code or data are on their way, in the size of what comes. */
export function Waiting({ name = '' }: WaitingProps) {
  if (details.test(name)) return <WaitingDetail />
  return (
    <div className="dmp-waiting" role="status" aria-label="Loading">
      <Skeleton rows={6} />
    </div>
  )
}

function WaitingDetail() {
  return (
    <div className="dmp-detail dmp-late" role="status" aria-label="Loading">
      <div>
        <WaitingSection facts={8} />
        <WaitingSection facts={6} />
      </div>
      <div className="dmp-detail-side">
        <WaitingSection facts={2} />
      </div>
    </div>
  )
}

function WaitingSection({ facts }: { facts: number }) {
  return (
    <div className="dmp-section">
      <div className="dmp-section-head">
        <Grey width="140px" />
      </div>
      <div className="dmp-section-body dmp-facts">
        {Array.from({ length: facts }, (_, at) => (
          <div key={at} className="dmp-waiting-fact">
            <Grey width="30%" />
            <Grey width={`${45 + ((at * 17) % 40)}%`} />
          </div>
        ))}
      </div>
    </div>
  )
}

const Grey = ({ width }: { width: string }) => <span className="dmp-grey" style={{ width }} />
