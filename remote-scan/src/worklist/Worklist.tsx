import { limits, may, scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { refresh, runKey, useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert } from '@dmp/kit/screen'
import { useRef, useState, type ReactNode } from 'react'
import { EmptyWorklist } from './EmptyWorklist.tsx'
import { FilterChips } from './FilterChips.tsx'
import { OnPaper } from './OnPaper.tsx'
import { PreviewPane } from './PreviewPane.tsx'
import { readDensity, writeDensity } from './density.ts'
import { detailPath, findViewable, fromWorklist, view, type Asked } from './rowActions.ts'
import { StudyPages, StudyRange } from './StudyPages.tsx'
import { StudySelectionBar } from './StudySelectionBar.tsx'
import { StudyTable } from './StudyTable.tsx'
import { useCursor } from './useCursor.ts'
import { useDrop } from './useDrop.ts'
import { useSelectedStudies } from './useSelectedStudies.ts'
import { useNewStudies, useStudies, useWorklistState } from './useWorklist.ts'
import { useWorklistKeys, type WorklistCommand } from './useWorklistKeys.ts'
import { WorklistBar } from './WorklistBar.tsx'
import { WorklistDialogs } from './WorklistDialogs.tsx'

interface WorklistProps {
  readonly organizationId: string
  readonly organizationName: string
  /** Above the list, for those who see several organizations. */
  readonly choice: ReactNode
}

export function Worklist({ organizationId, organizationName, choice }: WorklistProps) {
  const box = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const { state, change, isHidden } = useWorklistState()
  const list = useStudies(state, organizationId)
  const newCount = useNewStudies(state, organizationId, list)
  const selection = useSelectedStudies(organizationId)
  const cursor = useCursor(list.studies, box)
  const [density, setDensity] = useState(readDensity)
  const [asked, setAsked] = useState<Asked>()
  const drop = useDrop(organizationId, useCan(may('Scan', 'Upload')))
  const run = useCommands({ organizationId, cursor, selection, onAsk: setAsked })
  useWorklistKeys((command) => (command === 'search' ? search.current?.focus() : run(command)))
  const closeDialog = () => setAsked(undefined)
  const isRead = !list.isWaiting && (!list.error || list.studies.length > 0)
  return (
    <div ref={box} className="worklist" {...drop.handlers}>
      <WorklistBar
        choice={choice}
        searchRef={search}
        state={state}
        isSearching={list.isFetching && state.search !== ''}
        hasViews={!isHidden}
        density={density}
        onChange={change}
        onDensity={(next) => {
          setDensity(next)
          writeDensity(next)
        }}
        onKeys={() => runKey('?')}
      />
      <OnPaper organizationName={organizationName} state={state} />
      <FilterChips state={state} organizationId={organizationId} onChange={change} />
      <div className="worklist-body" data-preview={cursor.isPreviewing}>
        <div className="worklist-list">
          <div className="worklist-head">
            <StudyRange state={state} total={isRead ? list.total : undefined} isEarlier={list.isEarlier} />
            <NewStudies
              count={newCount}
              onShow={() => refresh([scan.listStudies, scan.getStudyKinds, scan.countStudies])}
            />
          </div>
          <StudyTable
            organizationId={organizationId}
            columns={state.columns}
            onAsk={setAsked}
            studies={list.studies}
            isWaiting={list.isWaiting}
            isFetching={list.isFetching}
            state={state}
            density={density}
            selection={selection}
            active={cursor.active?.studyUID}
            opened={cursor.opened}
            onActivate={cursor.activate}
            onToggle={cursor.toggle}
            onSort={(sort, direction) => change({ sort, direction })}
          />
          {isRead && list.studies.length === 0 && (
            <EmptyWorklist state={state} onClear={() => change({ search: '', filters: {} })} />
          )}
          <ErrorAlert error={list.error} onRetry={list.refetch} />
          {isRead && !list.isEarlier && <StudyPages state={state} total={list.total} onChange={change} />}
        </div>
        {cursor.isPreviewing && cursor.active && (
          <PreviewPane
            key={cursor.active.studyUID}
            organizationId={organizationId}
            study={cursor.active}
            onAsk={setAsked}
            onClose={() => cursor.setPreviewing(false)}
          />
        )}
      </div>
      <StudySelectionBar
        organizationId={organizationId}
        selection={selection}
        studies={list.studies}
        onAsk={setAsked}
      />
      {drop.isOver && <p className="worklist-drop">Drop to upload to {organizationName}</p>}
      {asked && (
        <WorklistDialogs
          organizationId={organizationId}
          asked={asked}
          onClose={closeDialog}
          onDone={() => {
            closeDialog()
            selection.clear()
          }}
        />
      )}
    </div>
  )
}

/**
 * What arrived since the list was read, in a line that is there without it, too. It comes in when it is asked for, so
 * that nothing moves under the eyes or the pointer.
 */
function NewStudies({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="worklist-arrived">
      {count > 0 && (
        <button type="button" onClick={onShow}>
          {count === 1 ? '1 new study · Show' : `${count} new studies · Show`}
        </button>
      )}
    </div>
  )
}

interface CommandTargets {
  readonly organizationId: string
  readonly cursor: ReturnType<typeof useCursor>
  readonly selection: ReturnType<typeof useSelectedStudies>
  readonly onAsk: (asked: Asked) => void
}

/** What the keys do with the study under the cursor. */
function useCommands({ organizationId, cursor, selection, onAsk }: CommandTargets) {
  const navigate = useNavigate()
  const mayShare = useCan(scan.share)
  const withStudy: Partial<Record<WorklistCommand, (study: Study) => void>> = {
    open: ({ series: [first] }) => first && void navigate(detailPath(organizationId, first), { state: fromWorklist }),
    preview: () => cursor.setPreviewing(!cursor.isPreviewing),
    expand: ({ studyUID }) => cursor.toggle(studyUID, true),
    collapse: ({ studyUID }) => cursor.toggle(studyUID, false),
    select: (study) => selection.set([study], !selection.isSelected(study)),
    view: ({ series }) => {
      const viewable = findViewable(series)
      if (viewable) view(organizationId, viewable)
    },
    share: ({ series }) => mayShare && onAsk({ kind: 'share', series }),
  }
  const { selected } = selection
  return (command: WorklistCommand) => {
    // As its bar says: what was chosen goes out, not what the cursor happens to be on.
    if (command === 'share' && selected.length > 0) {
      const series = selected.flatMap((study) => study.series)
      if (mayShare && series.length <= limits.scansAtOnce) onAsk({ kind: 'share', series })
      return
    }
    if (command === 'next') return cursor.move(1)
    if (command === 'previous') return cursor.move(-1)
    if (command === 'close') return cursor.setPreviewing(false)
    if (!cursor.active) return command === 'preview' ? cursor.move(1) : undefined
    return withStudy[command]?.(cursor.active)
  }
}
