import { useEffect } from 'react'
import { scan } from '@dmp/contract'
import type { OrganizationLogo } from '@dmp/contract/organization'
import { useLookup, personName } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { ErrorAlert, PublicScreen, ScreenBoundary, Waiting } from '@dmp/kit/screen'
import { Alert } from '@dmp/kit/ui'
import { OpenedImages } from './OpenedImages.tsx'
import { ShareInvitation } from './ShareInvitation.tsx'
import { useShareEnd } from './useShareEnd.ts'
import { warmViewer } from './warmViewer.ts'
import './share.css'

/** The page of a share link: who shared what until when, and nothing about the patient before it is opened (P25). */
export function ScanShareScreen() {
  const { token = '' } = useParams()
  return (
    <PublicScreen title="Shared scan">
      <ScreenBoundary name="scan/share">
        <SharedLink token={token} />
      </ScreenBoundary>
    </PublicScreen>
  )
}

function SharedLink({ token }: { token: string }) {
  const { data: shared, error, refetch } = useLookup(scan.getShared, { token })
  const { hasEnded, whileOpening } = useShareEnd(token)
  useEffect(() => void warmViewer(), [])
  // Asking once more would bring nothing: what ended stays ended. Who sent it is known to pages that it was open in.
  if (hasEnded || error?.code === 'LINK_GONE')
    return <Ended sender={shared?.sharedBy ? personName(shared.sharedBy.person) : undefined} />
  if (error) return <ErrorAlert error={error} onRetry={refetch} />
  if (!shared) return <Waiting />
  return (
    <div className="share-page">
      {shared.sharedBy && (
        <>
          {shared.sharedBy.logo && <Logo {...shared.sharedBy.logo} name={shared.sharedBy.organization} />}
          <p className="share-sender">
            <b>{personName(shared.sharedBy.person)}</b> of <b>{shared.sharedBy.organization}</b> has shared medical
            images with you.
          </p>
        </>
      )}
      {shared.opened ? (
        <OpenedImages token={token} shared={shared} opened={shared.opened} />
      ) : (
        <ShareInvitation token={token} shared={shared} whileOpening={whileOpening} />
      )}
    </div>
  )
}

/** Why it ended nobody is told: the answer is the same for whoever only guesses links (P25). */
function Ended({ sender }: { sender: string | undefined }) {
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title="This link is invalid or has expired."
      description={
        sender === undefined
          ? 'It may have been opened as often as its sender allowed, been withdrawn, or not be complete. Ask the person who sent it to you for a new one.'
          : `It may have been opened as often as its sender allowed, or been withdrawn. Ask ${sender} for a new one.`
      }
    />
  )
}

/** Half as large as it was drawn, for screens that show twice as much. */
function Logo({ dataURL, width, height, name }: OrganizationLogo & { readonly name: string }) {
  return <img className="share-logo" src={dataURL} alt={name} width={width / 2} height={height / 2} />
}
