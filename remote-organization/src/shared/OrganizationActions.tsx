import { activationMayFollow, organization } from '@dmp/contract'
import { useAct, useCan, useLookup } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ActionBox, ConfirmModal, ErrorAlert } from '@dmp/kit/screen'
import { Button, notify, offerUndo } from '@dmp/kit/ui'
import { useState } from 'react'

const lists = [organization.list, organization.listActivated, organization.getReadiness, organization.getSetup]

const toActivatedText = ({ name }: organization.Organization) => `${name} activated`

/** The Actions box (2.52, 4.03, 4.04, 6.05). A button shows if its call is permitted and would change something. */
export function OrganizationActions({ item, editPath }: { item: organization.Organization; editPath: string }) {
  const navigate = useNavigate()
  const activate = useAct(organization.activate, {
    refreshes: lists,
    onDone: (activated) => notify.success(toActivatedText(activated)),
  })
  const createDatastore = useAct(organization.createDatastore, {
    refreshes: [...lists, organization.get],
    onDone: () => notify.success(`Datastore for ${item.name} created`),
  })

  const mayUpdate = useCan(organization.update)
  const mayActivate = useCan(organization.activate)
  const mayDeactivate = useCan(organization.deactivate)
  const mayAssign = useCan(organization.assignLicenses)
  const mayExport = useCan(organization.startExport) && item.status === 'Activated'
  const mayImport = useCan(organization.startImport) && item.status === 'Activated'
  const mayCreate = useCan(organization.createDatastore)
  const datastore = useLookup(organization.datastoreExists, { id: item.id }, { enabled: mayCreate })
  const [isDeactivating, setDeactivating] = useState(false)

  const mayChangeStatus = mayActivate && mayDeactivate
  const offersDatastore = mayCreate && datastore.data?.organizationExists === false
  if (!mayUpdate && !mayChangeStatus && !mayAssign && !mayExport && !mayImport && !offersDatastore) return null
  return (
    <ActionBox>
      {mayUpdate && <Button onClick={() => navigate(editPath, { state: { name: item.name } })}>Edit</Button>}
      {mayChangeStatus && activationMayFollow(item.status, 'Activated') && (
        <Button loading={activate.busy} onClick={() => void activate.act({ id: item.id })}>
          Activate
        </Button>
      )}
      {mayChangeStatus && activationMayFollow(item.status, 'Deactivated') && (
        <Button danger onClick={() => setDeactivating(true)}>
          Deactivate
        </Button>
      )}
      {offersDatastore && (
        <Button loading={createDatastore.busy} onClick={() => void createDatastore.act({ id: item.id })}>
          Create Datastore
        </Button>
      )}
      {mayAssign && <Button onClick={() => navigate(`/organization/assign-saas/${item.id}`)}>Assign SaaS</Button>}
      {mayExport && (
        <Button onClick={() => navigate(`/account/organization/export?organizationId=${item.id}`)}>Export</Button>
      )}
      {mayImport && (
        <Button onClick={() => navigate(`/account/organization/import?organizationId=${item.id}`)}>Import</Button>
      )}
      <ErrorAlert error={activate.error} onClose={activate.reset} />
      <ErrorAlert error={createDatastore.error} onClose={createDatastore.reset} />
      {isDeactivating && <DeactivateModal item={item} onClose={() => setDeactivating(false)} />}
    </ActionBox>
  )
}

/** Asks first, because deactivating signs a whole organization out. */
function DeactivateModal({ item, onClose }: { item: organization.Organization; onClose: () => void }) {
  const { act, busy, error } = useAct(organization.deactivate, {
    refreshes: lists,
    onDone: ({ id, name }) => {
      offerUndo(`${name} deactivated`, {
        by: organization.activate,
        input: { id },
        refreshes: lists,
        toText: toActivatedText,
      })
      onClose()
    },
  })
  return (
    <ConfirmModal
      title={`Deactivate ${item.name}?`}
      confirmLabel="Deactivate"
      danger
      busy={busy}
      error={error}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      Everyone in this organization will be signed out immediately and cannot sign in until it is activated again.
      Nothing is deleted.
    </ConfirmModal>
  )
}
