import * as v from 'valibot'
import { exact, scan } from '@dmp/contract'
import { FilterName } from '@dmp/contract/scan'
import { call, refresh, useUser } from '@dmp/kit'
import { CheckboxField, FormModal, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'

const ViewDraft = exact({ ...FilterName.entries, isShared: v.boolean('Yes or no.') })

interface SaveViewModalProps {
  /** The address of the list as it is: search, filters, order and columns. */
  readonly query: string
  readonly search: string
  readonly onClose: () => void
}

/** Keeps the list as it is by a name, for oneself or for everybody in the organization. */
export function SaveViewModal({ query, search, onClose }: SaveViewModalProps) {
  const { organization } = useUser()
  return (
    <FormModal
      title="Save this view"
      draft={false}
      schema={ViewDraft}
      defaults={{ name: '', isShared: false }}
      call={({ name, isShared }) =>
        call(scan.addFilter, {
          name,
          isShared,
          query: new URLSearchParams([...new URLSearchParams(query)].filter(([key]) => key !== 'page')).toString(),
          search,
          sortColumn: '',
          sortDirection: '',
          place: 'worklist',
        })
      }
      submitLabel="Save"
      onClose={onClose}
      onDone={({ name }) => {
        refresh([scan.listFilters])
        notify.success(`View ${name} saved`)
        onClose()
      }}
    >
      <p>
        {search === ''
          ? 'Saves the filters, the columns and the order of the list.'
          : `Saves the search for “${search}”, the filters, the columns and the order of the list.`}
      </p>
      <TextField name="name" label="Name" autoFocus />
      <CheckboxField
        name="isShared"
        short="sharing"
        label={`Share with everyone in ${organization}`}
        help={search === '' ? undefined : 'Your colleagues will see what you searched for.'}
      />
    </FormModal>
  )
}
