import { useId, useState } from 'react'
import { saasNames, type SaasName } from '@dmp/contract/organization'
import { scan } from '@dmp/contract'
import type { Scan } from '@dmp/contract/scan'
import { useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ActionBox } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { launch, type LaunchableApp } from '../shared/launchApp.ts'
import { sayWhyNoView } from '../shared/sayWhyNoView.ts'
import { subjectOfScan } from '../shared/scanSubject.ts'
import { Thumbnail } from '../shared/Thumbnail.tsx'
import { DeleteModal, DownloadModal, ShareModal } from '../shared/laterDialogs.tsx'

/** The add-on apps that can be launched (7.42); the specification shows no action for the others. */
const launched: Readonly<Partial<Record<(typeof saasNames)[number], LaunchableApp>>> = {
  Autometrics: 'autometrics',
  BMD: 'bmd',
}

export function ScanActions({ item }: { item: Scan }) {
  const navigate = useNavigate()
  const [openModal, setAsked] = useState<'share' | 'download' | 'delete'>()
  const mayShare = useCan(scan.share)
  const mayDownload = useCan(scan.download)
  const mayDelete = useCan(scan.remove)
  const {
    organizationId,
    advanced: { dataStoreID, imageSetID, studyUID, seriesUID },
  } = item
  const whyNoView = sayWhyNoView({ imageSetID, images: item.basic.totalSliceCount })
  const close = () => setAsked(undefined)
  const subject = subjectOfScan(item)
  const open = (app: LaunchableApp) =>
    launch(app, { organizationId, dataStoreID, studyUID, seriesUID, imageSetID: imageSetID ?? '' })
  return (
    <div className="scan-detail-actions">
      <ActionBox>
        <Thumbnail
          organizationId={organizationId}
          studyUID={studyUID}
          seriesUID={seriesUID}
          images={item.basic.totalSliceCount}
          isLarge
        />
        <Button block type="primary" disabled={whyNoView !== undefined} onClick={() => open('viewer')}>
          View
        </Button>
        {whyNoView && <p>{whyNoView}</p>}
        <div className="scan-detail-group" role="group" aria-label="Add-on apps">
          {saasNames.map((name) => (
            <AppButton key={name} name={name} app={launched[name]} why={findReason(name, item)} onLaunch={open} />
          ))}
        </div>
        {mayShare && (
          <Button block onClick={() => setAsked('share')}>
            Share
          </Button>
        )}
        {mayDownload && (
          <Button block onClick={() => setAsked('download')}>
            Download
          </Button>
        )}
        {mayDelete && (
          <Button block danger onClick={() => setAsked('delete')}>
            Delete
          </Button>
        )}
      </ActionBox>
      {openModal === 'share' && <ShareModal organizationId={organizationId} seriesUID={seriesUID} onClose={close} />}
      {openModal === 'download' && (
        <DownloadModal organizationId={organizationId} seriesUID={seriesUID} subject={subject} onClose={close} />
      )}
      {openModal === 'delete' && (
        <DeleteModal
          organizationId={organizationId}
          seriesUIDs={[seriesUID]}
          subjects={[subject]}
          onClose={close}
          onDeleted={() => navigate('/scan')}
        />
      )}
    </div>
  )
}

/** Why the app cannot open the scan; undefined when it can. */
function findReason(name: SaasName, { basic: { compatibleSaas }, licensedSaas }: Scan): string | undefined {
  if (launched[name] === undefined) return `${name} cannot be opened from here yet.`
  if (!compatibleSaas.includes(name)) return `${name} does not open scans of this kind.`
  return licensedSaas?.includes(name) === false ? `Your organization has no active license for ${name}.` : undefined
}

function AppButton({
  name,
  app,
  why,
  onLaunch,
}: {
  name: string
  app: LaunchableApp | undefined
  why: string | undefined
  onLaunch: (app: LaunchableApp) => void
}) {
  const id = useId()
  return (
    <div className="scan-detail-app">
      <Button
        block
        disabled={why !== undefined}
        aria-describedby={why && `${id}-why`}
        onClick={() => app && onLaunch(app)}
      >
        {name}
      </Button>
      {why && <p id={`${id}-why`}>{why}</p>}
    </div>
  )
}
