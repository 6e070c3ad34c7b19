import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ScanFilter } from '@dmp/contract/scan'
import { useAct, useLookup, useUser } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, MenuButton, Modal, notify } from '@dmp/kit/ui'
import { SaveViewModal } from './SaveViewModal.tsx'

const none: readonly ScanFilter[] = []
const toPath = (query: string | undefined): string => (query ? `/scan/worklist?${query}` : '/scan/worklist')

/** Views that were kept, one's own and those that the organization shares; each is an address. */
export function ViewsMenu({ query, search }: { query: string; search: string }) {
  const navigate = useNavigate()
  const { data: views = none, isPending, error } = useLookup(scan.listFilters, { place: 'worklist' })
  const [opened, setOpened] = useState<'save' | 'manage'>()
  const applied = views.find((view) => view.query === query)
  function choose(key: string) {
    const view = views.find(({ id }) => id === key)
    if (key === 'save' || key === 'manage') setOpened(key)
    else void navigate(toPath(view?.query))
  }
  return (
    <>
      <MenuButton
        label="Views"
        look="default"
        busy={isPending}
        items={[
          { key: 'all', label: 'All studies', isChosen: query === '' },
          ...views.map((view) => ({
            key: view.id,
            label: view.isOwn ? view.name : `${view.name} (shared)`,
            isChosen: view === applied,
          })),
          { key: 'save', label: 'Save this view…' },
          ...(views.length > 0 || error ? [{ key: 'manage', label: 'Manage views…' }] : []),
        ]}
        onChoose={choose}
      >
        {applied ? `View: ${applied.name}` : 'Views'}
      </MenuButton>
      {opened === 'save' && <SaveViewModal query={query} search={search} onClose={() => setOpened(undefined)} />}
      {opened === 'manage' && <ManageViewsModal views={views} error={error} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function ManageViewsModal(props: { views: readonly ScanFilter[]; error: unknown; onClose: () => void }) {
  const { organization } = useUser()
  const {
    act: remove,
    busy,
    error,
    reset,
  } = useAct(scan.removeFilter, { refreshes: [scan.listFilters], onDone: () => notify.success('View deleted') })
  const columns: Column<ScanFilter>[] = [
    { title: 'Name', field: 'name' },
    { title: 'Seen by', value: (row) => (row.isShared ? `Everyone in ${organization}` : 'You') },
    {
      title: 'Actions',
      value: () => '',
      render: (row) =>
        row.isOwn ? (
          <Button
            size="small"
            danger
            disabled={busy}
            aria-label={`Delete ${row.name}`}
            onClick={() => void remove({ id: row.id })}
          >
            Delete
          </Button>
        ) : (
          <span className="worklist-quiet">Shared by a colleague</span>
        ),
    },
  ]
  return (
    <Modal
      open
      width={640}
      title="Views"
      footer={<Button onClick={props.onClose}>Close</Button>}
      onCancel={props.onClose}
    >
      <ErrorAlert error={props.error} />
      <ErrorAlert error={error} onClose={reset} />
      {props.views.length === 0 ? (
        <p>No saved views yet.</p>
      ) : (
        <SimpleTable rows={props.views} columns={columns} label="Views" rowKey={(row) => row.id} />
      )}
    </Modal>
  )
}
