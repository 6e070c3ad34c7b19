import { limits, may, scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { useCan } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { subjectOfStudy } from '../shared/scanSubject.ts'
import { SelectionBar } from '../shared/SelectionBar.tsx'
import type { Asked } from './rowActions.ts'
import { findViewable, view } from './rowActions.ts'
import type { SelectedStudies } from './useSelectedStudies.ts'

interface StudySelectionBarProps {
  readonly organizationId: string
  readonly selection: SelectedStudies
  /** Those that can be seen. */
  readonly studies: readonly Study[]
  readonly onAsk: (asked: Asked) => void
}

/** What can be done with all selected studies at once. */
export function StudySelectionBar({ organizationId, selection, studies, onAsk }: StudySelectionBarProps) {
  const mayShare = useCan(scan.share)
  const mayTransfer = useCan(scan.transfer)
  const mayDelete = useCan(may('Scan', 'Delete'))
  const { selected } = selection
  const series = selected.flatMap((study) => study.series)
  const isTooMuch = series.length > limits.scansAtOnce
  const [only] = selected
  const viewable = selected.length === 1 && only ? findViewable(only.series) : undefined
  const ask = (kind: 'share' | 'transfer' | 'delete') => onAsk({ kind, series })
  return (
    <SelectionBar
      selected={selected.map(subjectOfStudy)}
      inView={new Set(studies.map(({ studyUID }) => studyUID))}
      onChange={selection.keep}
    >
      {isTooMuch && <span>More than {limits.scansAtOnce} series: select fewer studies.</span>}
      {viewable && <Button onClick={() => view(organizationId, viewable)}>View</Button>}
      {mayShare && (
        <Button disabled={isTooMuch} onClick={() => ask('share')}>
          Share…
        </Button>
      )}
      {mayTransfer && (
        <Button disabled={isTooMuch} onClick={() => ask('transfer')}>
          Transfer…
        </Button>
      )}
      {mayDelete && (
        <Button danger disabled={isTooMuch} onClick={() => ask('delete')}>
          Delete…
        </Button>
      )}
    </SelectionBar>
  )
}
