import { Button } from '@dmp/kit/ui'
import type { ReactNode } from 'react'

export interface EmptyTableProps {
  readonly searchTerm: string
  /** Stands under the sentence where nothing was searched for. */
  readonly empty: ReactNode
  readonly onClear: () => void
}

/** The message of a table without rows (2.63). */
export function EmptyTable({ searchTerm, empty, onClear }: EmptyTableProps) {
  return (
    <div className="dmp-table-empty" role="status">
      {searchTerm === '' ? (
        <>
          <p>No record found.</p>
          {empty}
        </>
      ) : (
        <>
          <p>No record found with the filter term.</p>
          <Button onClick={onClear}>Clear search</Button>
        </>
      )}
    </div>
  )
}
