import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { OpenedShare, SharedScan, SharedStudy } from '@dmp/contract/scan'
import { dataWord, useAct } from '@dmp/kit'
import { DateText, ErrorAlert, Facts, formatDate } from '@dmp/kit/screen'
import { Alert, Button, DownloadOutlined, EyeOutlined } from '@dmp/kit/ui'
import { countOf, imagesText } from '../shared/counts.ts'
import { Parts } from '../shared/Parts.tsx'
import { startDownload } from '../shared/startDownload.ts'
import { openViewer, toViewerAddress } from './openShare.ts'

interface Opened {
  readonly token: string
  readonly shared: SharedScan
  readonly opened: OpenedShare
}

/** After the link was opened in this browser: whose images they are, and the ways to them. */
export function OpenedImages({ token, shared, opened }: Opened) {
  const [isStarted, setIsStarted] = useState(false)
  const { act, busy, error } = useAct(scan.openShared, {
    onDone: ({ downloadUrl }) => {
      startDownload(downloadUrl)
      setIsStarted(true)
    },
  })
  return (
    <>
      <div className="share-actions">
        <Button type="primary" icon={<EyeOutlined />} onClick={() => openViewer(opened.id)}>
          View images
        </Button>
        {shared.allowsDownload && (
          <Button icon={<DownloadOutlined />} disabled={busy} onClick={() => void act({ token })}>
            Download
          </Button>
        )}
      </div>
      <ErrorAlert error={error} />
      {isStarted && <Alert type="success" showIcon role="status" title="Download started" />}
      {opened.studies.map((study) => (
        <OpenedStudy key={study.studyUID} shareId={opened.id} study={study} />
      ))}
      <p className="share-until">
        Open in this browser until <DateText value={opened.untilDate} format="moment" />. The link works until{' '}
        <DateText value={shared.expireDate} format="moment" />.
      </p>
    </>
  )
}

function OpenedStudy({ shareId, study }: { shareId: string; study: SharedStudy }) {
  return (
    <section className="share-study">
      <h2>
        <bdi>{study.patientName || 'Without a name'}</bdi>
      </h2>
      <Facts
        columns={2}
        facts={[
          { label: 'Study', value: study.description },
          { label: 'Study date', value: formatDate(study.studyDate, 'short') },
          { label: 'Patient ID', value: study.patientID },
          { label: 'Birth date', value: formatDate(study.birthDate, 'short') },
          { label: 'Sex', value: study.sex && dataWord(study.sex) },
        ]}
      />
      <ul className="share-series">
        {study.series.map(({ seriesUID, modality, description, ...counted }) => (
          <li key={seriesUID}>
            <a href={toViewerAddress(shareId, seriesUID)}>
              <Picture
                address={`/dicom-web/shared/${shareId}/studies/${study.studyUID}/series/${seriesUID}/thumbnail`}
              />
              <span>
                <b>
                  <bdi>{description || 'Series'}</bdi>
                </b>
                <small>
                  <Parts values={[modality, imagesText(countOf(counted))]} />
                </small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Decoration beside the name that it belongs to; a series without a picture keeps the dark square. */
function Picture({ address }: { address: string }) {
  const [isMissing, setIsMissing] = useState(false)
  return (
    <span className="share-picture">
      {!isMissing && <img src={address} alt="" loading="lazy" onError={() => setIsMissing(true)} />}
    </span>
  )
}
