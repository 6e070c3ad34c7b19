import { useState } from 'react'
import { scan } from '@dmp/contract'
import { FilterName, type ScanFilter } from '@dmp/contract/scan'
import { call, refresh, useAct, type CallError } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { Link } from '@dmp/kit/router'
import { ErrorAlert } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, Flex, Modal, offerUndo, type Undo } from '@dmp/kit/ui'
import { formatFilterAddress } from './filterAddress.ts'

/** Renames and deletes the viewer's filters. */
export function ManageFiltersModal({
  filters,
  error: missing,
  onClose,
}: {
  filters: readonly ScanFilter[]
  error: CallError | null
  onClose: () => void
}) {
  const [renamed, setRenamed] = useState<ScanFilter>()
  const {
    act: remove,
    busy,
    error,
    reset,
  } = useAct(scan.removeFilter, {
    refreshes: [scan.listFilters],
    onDone: (_, { id }) => {
      const filter = filters.find((each) => each.id === id)
      offerUndo('Filter deleted', filter && toUndo(filter))
    },
  })
  if (renamed) return <RenameFilterModal filter={renamed} onClose={() => setRenamed(undefined)} />

  const columns: Column<ScanFilter>[] = [
    {
      title: 'Name',
      field: 'name',
      render: (row) => (
        <Link to={formatFilterAddress(row)} onClick={onClose}>
          {row.name}
        </Link>
      ),
    },
    { title: 'Search', value: (row) => row.search || everythingText() },
    {
      title: 'Actions',
      acts: true,
      value: () => '',
      render: (row) => (
        <Flex gap="small">
          <Button size="small" aria-label={`Rename ${row.name}`} onClick={() => setRenamed(row)}>
            Rename
          </Button>
          <Button
            size="small"
            danger
            disabled={busy}
            aria-label={`Delete ${row.name}`}
            onClick={() => void remove({ id: row.id })}
          >
            Delete
          </Button>
        </Flex>
      ),
    },
  ]
  return (
    <Modal open width={640} title="Filters" footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      <ErrorAlert error={missing} />
      <ErrorAlert error={error} onClose={reset} />
      {filters.length === 0 ? (
        <p>No saved filters yet.</p>
      ) : (
        <SimpleTable rows={filters} columns={columns} label="Filters" rowKey={(row) => row.id} />
      )}
    </Modal>
  )
}

/** The same search once more, sorted as it was. */
const toUndo = ({ name, search, sortColumn, sortDirection }: ScanFilter): Undo<typeof scan.addFilter> => ({
  by: scan.addFilter,
  // A server answers with a direction that it took.
  input: { name, search, sortColumn, sortDirection: sortDirection as 'asc' | 'desc' | '' },
  refreshes: [scan.listFilters],
  toText: (filter) => `Filter ${filter.name} saved`,
})

function RenameFilterModal({ filter, onClose }: { filter: ScanFilter; onClose: () => void }) {
  return (
    <FormModal
      title={`Rename ${filter.name}`}
      draft={false}
      schema={FilterName}
      defaults={{ name: filter.name }}
      call={({ name }) => call(scan.renameFilter, { id: filter.id, name })}
      submitLabel="Rename"
      onClose={onClose}
      onDone={() => {
        refresh([scan.listFilters])
        onClose()
      }}
    >
      <TextField name="name" label="Name" autoFocus />
    </FormModal>
  )
}

const everythingText = (): string => 'Everything'
