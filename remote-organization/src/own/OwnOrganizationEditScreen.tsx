import { organization } from '@dmp/contract'
import { useCan, useLookup, useUser } from '@dmp/kit'
import { useLocation, useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Screen } from '@dmp/kit/screen'
import { Skeleton } from '@dmp/kit/ui'
import { OrganizationForm } from '../parts/OrganizationForm.tsx'
import { CannotRename } from './CannotRename.tsx'

/** Renames the viewer's own organization (2.28): the current name comes with the navigation, else from the server. */
export function OwnOrganizationEditScreen() {
  const { organizationId, organization: ownName } = useUser()
  const mayUpdate = useCan(organization.update)
  return (
    <Screen
      title="Edit Organization"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: ownName, url: '/account/organization' },
        { name: 'Edit' },
      ]}
    >
      {organization.isBuiltIn({ id: organizationId }) ? (
        <CannotRename
          why="The provider's own organization cannot be renamed."
          next="It is built in. Customers' organizations are renamed from their own pages."
        />
      ) : mayUpdate ? (
        <Rename />
      ) : (
        <CannotRename
          why="Your account may not rename the organization."
          next="Ask an administrator of your organization."
        />
      )}
    </Screen>
  )
}

function Rename() {
  const navigate = useNavigate()
  const { organizationId } = useUser()
  const state: unknown = useLocation().state
  const handed =
    typeof state === 'object' && state && 'name' in state && typeof state.name === 'string' ? state.name : undefined
  const current = useLookup(organization.get, { id: organizationId })
  const name = handed ?? current.data?.name
  return (
    <>
      <ErrorAlert error={current.error} onRetry={current.refetch} />
      {name === undefined ? (
        <Skeleton />
      ) : (
        <OrganizationForm
          id={organizationId}
          name={name}
          updatedDate={current.data?.updatedDate}
          onClose={() => navigate('/account/organization')}
        />
      )}
    </>
  )
}
