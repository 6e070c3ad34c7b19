import { limits } from '@dmp/contract/limits'
import { formatNumber } from '@dmp/kit'
import { columns as kinds, defaultColumns } from './columns.ts'
import type { WorklistState } from './worklistState.ts'

interface StudyPagesProps {
  readonly state: WorklistState
  readonly total: number
  readonly onChange: (changes: Partial<WorklistState>) => void
}

interface StudyRangeProps {
  readonly state: WorklistState
  /** Undefined while nobody knows it. */
  readonly total: number | undefined
  /** They are those of before the line was lost. */
  readonly isEarlier: boolean
}

/** Which studies of how many. */
export function StudyRange({ state: { page, pageSize }, total, isEarlier }: StudyRangeProps) {
  if (isEarlier)
    return (
      <p role="status" className="worklist-earlier">
        {earlierText()}
      </p>
    )
  return <p role="status">{total === undefined ? '' : toRangeText(page, pageSize, total)}</p>
}

const earlierText = (): string =>
  'These studies are from before the connection was lost, and may not fit what you ask for now.'

function toRangeText(page: number, pageSize: number, total: number): string {
  if (total === 0) return 'No studies'
  const first = (page - 1) * pageSize + 1
  return `${first} to ${Math.min(page * pageSize, total)} of ${formatNumber(total)}`
}

/** The way to the other studies, and what of each there is no room for. */
export function StudyPages({ state: { page, pageSize, columns }, total, onChange }: StudyPagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  return (
    <div className="worklist-pages">
      <label>
        Rows per page{' '}
        <select
          className="dmp-select"
          value={pageSize}
          onChange={(event) => onChange({ pageSize: Number(event.target.value) })}
        >
          {limits.worklistPageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      {columns === defaultColumns && <NoRoom />}
      {last > 1 && (
        <nav aria-label="Pages">
          <button type="button" disabled={page <= 1} onClick={() => onChange({ page: page - 1 })}>
            Previous
          </button>
          <span>
            Page {page} of {last}
          </span>
          <button type="button" disabled={page >= last} onClick={() => onChange({ page: page + 1 })}>
            Next
          </button>
        </nav>
      )}
    </div>
  )
}

/** Of the columns that give way, those for which there is no room (`studyTable.css`), the first to go first. */
function NoRoom() {
  return (
    <p className="worklist-no-room">
      No room for:{' '}
      {defaultColumns.toReversed().map((key) => (
        <span key={key} data-column={key}>
          {kinds[key].title}
        </span>
      ))}
    </p>
  )
}
