import { scan } from '@dmp/contract'
import { FilterName } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'

interface SaveFilterModalProps {
  readonly search: string
  readonly sortColumn: string
  readonly sortDirection: 'asc' | 'desc' | ''
  readonly onClose: () => void
}

/** Keeps what the list searches for and how it is sorted, by a name. */
export function SaveFilterModal({ onClose, ...what }: SaveFilterModalProps) {
  return (
    <FormModal
      title="Save this search"
      draft={false}
      schema={FilterName}
      defaults={{ name: what.search }}
      call={({ name }) => call(scan.addFilter, { name, ...what })}
      submitLabel="Save"
      onClose={onClose}
      onDone={({ name }) => {
        refresh([scan.listFilters])
        notify.success(`Filter ${name} saved`)
        onClose()
      }}
    >
      <p>
        {what.search === ''
          ? 'The search box is empty, so the filter saves only how the list is sorted. Only you can see it.'
          : `Saves the search for “${what.search}” and how the list is sorted. Only you can see it.`}
      </p>
      <TextField name="name" label="Name" autoFocus />
    </FormModal>
  )
}
