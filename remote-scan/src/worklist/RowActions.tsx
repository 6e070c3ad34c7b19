import { may, scan } from '@dmp/contract'
import type { ScanRow, Study } from '@dmp/contract/scan'
import { useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Button, EyeOutlined, MenuButton } from '@dmp/kit/ui'
import { MoreIcon, ShareIcon } from '../shared/icons.tsx'
import { patientPath } from '../shared/patientPath.ts'
import { detailPath, findViewable, fromWorklist, view, type Asked } from './rowActions.ts'
import './rowActions.css'

interface RowActionsProps {
  readonly organizationId: string
  readonly study: Study
  /** One series of an opened study; all of them where the row is the study's. */
  readonly series: readonly ScanRow[]
  /** Names the row on its buttons. */
  readonly name: string
  readonly onAsk: (asked: Asked) => void
  readonly isOnPatientPage?: boolean
}

/** Look, share, and everything else. */
export function RowActions(props: RowActionsProps) {
  const { organizationId, study, series, name, onAsk, isOnPatientPage = false } = props
  const navigate = useNavigate()
  const mayShare = useCan(scan.share)
  const rights = {
    download: useCan(scan.download),
    transfer: useCan(scan.transfer),
    delete: useCan(may('Scan', 'Delete')),
  }
  const viewable = findViewable(series)
  const [first] = series
  const items = [
    { key: 'open', label: 'Open details' },
    ...(isOnPatientPage ? [] : [{ key: 'patient', label: 'All studies of the patient' }]),
    ...(mayShare ? [{ key: 'share', label: 'Share…' }] : []),
    ...(rights.download ? [{ key: 'download', label: 'Download…' }] : []),
    ...(rights.transfer ? [{ key: 'transfer', label: 'Transfer…' }] : []),
    ...(rights.delete ? [{ key: 'delete', label: 'Delete…' }] : []),
  ]
  function choose(key: string) {
    if (key === 'patient') void navigate(patientPath(organizationId, study.studyUID))
    if (key === 'open' && first)
      void navigate(detailPath(organizationId, first), isOnPatientPage ? {} : { state: fromWorklist })
    if (key === 'download') onAsk({ kind: key, series, study })
    if (key === 'share' || key === 'transfer' || key === 'delete') onAsk({ kind: key, series })
  }
  return (
    <span className="worklist-actions">
      <Button
        type="text"
        size="small"
        title={viewable ? 'View' : 'There is no picture to view'}
        aria-label={`View ${name}`}
        disabled={!viewable}
        icon={<EyeOutlined />}
        onClick={() => viewable && view(organizationId, viewable)}
      />
      {mayShare && (
        <Button
          type="text"
          size="small"
          title="Share"
          className="worklist-share"
          aria-label={`Share ${name}`}
          icon={<ShareIcon />}
          onClick={() => onAsk({ kind: 'share', series })}
        />
      )}
      <MenuButton label={`More for ${name}`} icon={<MoreIcon />} items={items} onChoose={choose} />
    </span>
  )
}
