import { scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { dataWord, useCan } from '@dmp/kit'
import { Facts, formatDate } from '@dmp/kit/screen'
import { Button, CloseOutlined } from '@dmp/kit/ui'
import { listKnownSaas } from '../shared/listKnownSaas.ts'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import { subjectOfStudy } from '../shared/scanSubject.ts'
import { SeriesTile } from '../shared/SeriesTile.tsx'
import { findViewable, view, type Asked } from './rowActions.ts'

interface PreviewPaneProps {
  readonly organizationId: string
  readonly study: Study
  readonly onAsk: (asked: Asked) => void
  readonly onClose: () => void
}

/** More than these say nothing more; the rest is in the list. */
const shownSeries = 12

/** A glance at a study beside the list: whose it is, what it looks like, what is known of it. */
export function PreviewPane({ organizationId, study, onAsk, onClose }: PreviewPaneProps) {
  const mayShare = useCan(scan.share)
  const viewable = findViewable(study.series)
  const rest = study.seriesCount - Math.min(shownSeries, study.series.length)
  return (
    <aside className="worklist-preview" aria-label="Preview">
      <div className="worklist-preview-head">
        <h2>Preview</h2>
        <Button type="text" size="small" aria-label="Close preview" icon={<CloseOutlined />} onClick={onClose} />
      </div>
      <PatientHeader subject={subjectOfStudy(study)} isCompact />
      <ul className="worklist-thumbnails" aria-label="Series">
        {study.series.slice(0, shownSeries).map((row) => (
          <li key={row.seriesUID}>
            <SeriesTile organizationId={organizationId} row={row} />
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="worklist-quiet">and {rest} more series</p>}
      <Facts
        columns={2}
        facts={[
          { label: 'Study date', value: formatDate(study.studyDate, 'short') },
          { label: 'Received', value: formatDate(study.arrivedDate, 'moment') },
          { label: 'Body part', value: study.bodyParts.join(', ') },
          { label: 'Source', value: study.sources.map(dataWord).join(', ') },
          { label: 'Accession number', value: study.accessionNumber },
          { label: 'Compatible SaaS', value: listKnownSaas(study.compatibleSaas).join(', ') },
        ]}
      />
      <Button type="primary" block disabled={!viewable} onClick={() => viewable && view(organizationId, viewable)}>
        View
      </Button>
      {mayShare && (
        <Button block onClick={() => onAsk({ kind: 'share', series: study.series })}>
          Share
        </Button>
      )}
      {!viewable && <p className="worklist-quiet">No series of this study has a picture that can be viewed.</p>}
    </aside>
  )
}
