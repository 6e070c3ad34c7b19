import { setTrust, type ShownPart } from '@dmp/contract/releaseCalls'
import { useCan } from '@dmp/kit'
import { Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { MoveModal } from './MoveModal.tsx'

/** How far a part is trusted, which holds for all of its releases; nothing of host and viewer, which are the page. */
export function TrustSection({ part }: { part: ShownPart | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const maySet = useCan(setTrust)
  if (part?.isGuest === undefined) return null
  const { isGuest } = part
  return (
    <Section
      title="Trust"
      extra={
        maySet && (
          <Button size="small" onClick={() => setAsking(true)}>
            {isGuest ? 'Trust it…' : 'Make it a guest…'}
          </Button>
        )
      }
    >
      <p>
        {isGuest
          ? 'It is a guest: it runs in a frame of its own, without people’s session, and with the calls that it declares alone.'
          : 'It runs in the page, and can do there whatever the person who is signed in can do.'}
      </p>
      {isAsking && <MoveModal move={{ kind: isGuest ? 'trust' : 'distrust', part }} onClose={() => setAsking(false)} />}
    </Section>
  )
}
