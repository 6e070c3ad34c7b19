import * as scan from '@dmp/contract/scan'
import type { ScanFilter, ViewPlace } from '@dmp/contract/scan'
import { call, refresh, useAct, useUser, type CallError } from '@dmp/kit'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button, Modal, notify } from '@dmp/kit/ui'

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
      notify.success('View deleted', view && { label: 'Undo', onAct: () => void takeBack(place, view) })
    },
  })
  return (
    <Modal open width={560} title="Views" footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      <ErrorAlert error={missing} />
      <ErrorAlert error={error} onClose={reset} />
      {views.length === 0 ? (
        <p>No saved views yet.</p>
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
async function takeBack(place: ViewPlace, view: ScanFilter): Promise<void> {
  const { name, search, query = '', isShared = false } = view
  try {
    await call(scan.addFilter, { name, search, query, isShared, place, sortColumn: '', sortDirection: '' })
    notify.success(`View ${name} saved`)
  } catch (cause) {
    notify.error(cause instanceof Error ? cause.message : String(cause))
  }
  refresh([scan.listFilters])
}
