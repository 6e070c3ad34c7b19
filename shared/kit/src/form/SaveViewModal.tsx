import * as v from 'valibot'
import { exact } from '@dmp/contract/fields'
import * as scan from '@dmp/contract/scan'
import { FilterName, type ViewPlace } from '@dmp/contract/scan'
import { call, refresh, useUser } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import { CheckboxField } from './CheckboxField.tsx'
import { FormModal } from './FormModal.tsx'
import { TextField } from './TextField.tsx'

const ViewDraft = exact({ ...FilterName.entries, isShared: v.boolean('Yes or no.') })

interface SaveViewModalProps {
  readonly place: ViewPlace
  /** The address of the list as it is. */
  readonly query: string
  readonly search: string
  readonly onClose: () => void
}

/** Keeps the list as it is by a name, for oneself or for everybody in the organization. */
export function SaveViewModal({ place, query, search, onClose }: SaveViewModalProps) {
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
          query,
          search,
          sortColumn: '',
          sortDirection: '',
          place,
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
      <p>{toWhat(place, search)}</p>
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

function toWhat(place: ViewPlace, search: string): string {
  if (place === 'worklist')
    return search === ''
      ? 'Saves the filters, the columns and the order of the list.'
      : `Saves the search for “${search}”, the filters, the columns and the order of the list.`
  return search === ''
    ? 'Saves the filters and the order of the list.'
    : `Saves the search for “${search}”, the filters and the order of the list.`
}
