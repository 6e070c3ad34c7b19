import { useState } from 'react'
import { scan } from '@dmp/contract'
import { useLookup, useSession, personName } from '@dmp/kit'
import { DateText, ErrorAlert, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { EndHoldButton } from '../bin/EndHoldButton.tsx'
import { HoldModal } from '../bin/HoldModal.tsx'

interface HoldSectionProps {
  readonly organizationId: string
  readonly studyUID: string
  readonly name: string
}

/** Who holds the study of a scan, and why. */
export function HoldSection({ organizationId, studyUID, name }: HoldSectionProps) {
  const [isAsking, setAsking] = useState(false)
  const { data: holds, error, refetch } = useLookup(scan.listHolds, { organizationId, studyUID })
  const ownOrganizationId = useSession(({ user }) => user?.organizationId)
  const inForce = holds?.rows.filter(({ endedDate }) => endedDate === null)
  // The organization and the provider hold a study each on its own.
  const isOwn = inForce?.some(({ isByProvider }) => isByProvider === (ownOrganizationId !== organizationId))
  return (
    <Section title="Legal hold">
      <ErrorAlert error={error} onRetry={refetch} />
      {inForce?.map((hold) => (
        <div key={hold.id}>
          <p>
            Nobody can delete this study. It is held by <bdi>{personName(hold.heldByUser)}</bdi> since{' '}
            <DateText value={hold.heldDate} format="short" />: <bdi>{hold.reason}</bdi>
          </p>
          <EndHoldButton hold={hold} />
        </div>
      ))}
      {inForce?.length === 0 && <p>This study can be deleted by those who may delete scans.</p>}
      {isOwn === false && (
        <Button size="small" onClick={() => setAsking(true)}>
          Put under legal hold…
        </Button>
      )}
      {isAsking && (
        <HoldModal organizationId={organizationId} studyUID={studyUID} name={name} onClose={() => setAsking(false)} />
      )}
    </Section>
  )
}
