import { limits } from '@dmp/contract/limits'

export interface PagesProps {
  readonly page: number
  readonly pageSize: number
  /** Undefined while nobody knows it: the first rows are still loading, or could not be loaded. */
  readonly total: number | undefined
  readonly onPage: (page: number) => void
  readonly onPageSize: (pageSize: number) => void
}

/** The page size ('Show N entries', 2.63), the range of rows, and the links to the other pages. */
export function Pages({ page, pageSize, total, onPage, onPageSize }: PagesProps) {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  return (
    <div className="dmp-pages">
      <label className="dmp-page-size">
        Show{' '}
        <select className="dmp-select" value={pageSize} onChange={(event) => onPageSize(Number(event.target.value))}>
          {limits.pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>{' '}
        entries
      </label>
      {/* Screen readers announce changes (P29). */}
      <p role="status" className="dmp-page-count">
        {toRangeText(page, pageSize, total)}
      </p>
      {last > 1 && (
        <nav aria-label="Pages">
          <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </button>
          {listPages(page, last).map((pageNumber, index) =>
            pageNumber === null ? (
              <span key={`gap${index}`} aria-hidden>
                …
              </span>
            ) : (
              <button
                key={pageNumber}
                type="button"
                aria-label={`Page ${pageNumber}`}
                aria-current={pageNumber === page ? 'page' : undefined}
                onClick={() => onPage(pageNumber)}
              >
                {pageNumber}
              </button>
            ),
          )}
          <button type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Next
          </button>
        </nav>
      )}
    </div>
  )
}

function toRangeText(page: number, pageSize: number, total: number | undefined): string {
  if (total === undefined) return ''
  return total === 0 ? 'No entries' : `${(page - 1) * pageSize + 1} to ${Math.min(page * pageSize, total)} of ${total}`
}

/** First, last and the neighbours; null stands for a gap. */
export function listPages(page: number, last: number): (number | null)[] {
  const near = [1, page - 1, page, page + 1, last].filter((pageNumber) => pageNumber >= 1 && pageNumber <= last)
  const unique = [...new Set(near)].toSorted((a, b) => a - b)
  return unique.flatMap((pageNumber, index) => {
    const previousPage = unique[index - 1]
    if (previousPage === undefined || pageNumber === previousPage + 1) return [pageNumber]
    return pageNumber === previousPage + 2 ? [previousPage + 1, pageNumber] : [null, pageNumber]
  })
}
