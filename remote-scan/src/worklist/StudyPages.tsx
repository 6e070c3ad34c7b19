import { limits } from '@dmp/contract/limits'
import { formatNumber } from '@dmp/kit'
import type { WorklistState } from './worklistState.ts'

interface StudyPagesProps {
  readonly state: WorklistState
  readonly total: number
  readonly onChange: (changes: Partial<WorklistState>) => void
}

/** Which studies of how many, and the way to the others. */
export function StudyPages({ state: { page, pageSize }, total, onChange }: StudyPagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const first = (page - 1) * pageSize + 1
  const text = total === 0 ? 'No studies' : `${first} to ${Math.min(page * pageSize, total)} of ${formatNumber(total)}`
  return (
    <div className="worklist-pages">
      <p role="status">{text}</p>
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
