import * as scan from '@dmp/contract/scan'
import type { ScanFilter, ViewPlace } from '@dmp/contract/scan'
import { useAct, useUser, type CallError } from '@dmp/kit'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button, Modal, offerUndo, type Undo } from '@dmp/kit/ui'

interface ManageViewsModalProps {
  readonly place: ViewPlace
  readonly views: readonly ScanFilter[]
  readonly error: CallError | null
  readonly onClose: () => void
}

/** Who sees which view; one's own can be deleted. */
export function ManageViewsModal({ place, views, error: missing, onClose }: ManageViewsModalProps) {
  const { organization } = useUser()
  const {
    act: remove,
    busy,
    error,
    reset,
  } = useAct(scan.removeFilter, {
    refreshes: [scan.listFilters],
    onDone: (_, { id }) => {
      const view = views.find((each) => each.id === id)
      offerUndo('View deleted', view && toUndo(place, view))
    },
  })
  return (
    <Modal open width={560} title="Views" footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      <ErrorAlert error={missing} />
      <ErrorAlert error={error} onClose={reset} />
      {views.length === 0 ? (
        !missing && <p>No saved views yet.</p>
      ) : (
        <ul className="dmp-views" aria-label="Views">
          {views.map((view) => (
            <li key={view.id}>
              <span>
                <bdi>{view.name}</bdi>{' '}
                <span className="dmp-quiet">
                  {view.isShared ? `Seen by everyone in ${organization}` : 'Seen by you alone'}
                </span>
              </span>
              {view.isOwn ? (
                <Button
                  size="small"
                  danger
                  disabled={busy}
                  aria-label={`Delete ${view.name}`}
                  onClick={() => void remove({ id: view.id })}
                >
                  Delete
                </Button>
              ) : (
                <span className="dmp-quiet">Shared by a colleague</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}

/** The same view once more, for the same people. */
const toUndo = (
  place: ViewPlace,
  { name, search, query = '', isShared = false }: ScanFilter,
): Undo<typeof scan.addFilter> => ({
  by: scan.addFilter,
  input: { name, search, query, isShared, place, sortColumn: '', sortDirection: '' },
  refreshes: [scan.listFilters],
  toText: (view) => `View ${view.name} saved`,
})
