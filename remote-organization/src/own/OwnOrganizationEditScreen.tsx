import { organization } from '@dmp/contract'
import { useCan, useLookup, useUser } from '@dmp/kit'
import { useLocation, useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Screen } from '@dmp/kit/screen'
import { Skeleton } from '@dmp/kit/ui'
import { CannotChange } from '../shared/CannotChange.tsx'
import { OrganizationForm } from '../shared/OrganizationForm.tsx'

/**
 * Renames the viewer's own organization (2.28). The current name comes with the navigation, otherwise from the server.
 */
export function OwnOrganizationEditScreen() {
  const { organizationId, organization: ownName } = useUser()
  const mayUpdate = useCan(organization.update)
  const own = { name: ownName, back: '/account/organization' }
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
        <CannotChange
          {...own}
          why="The provider's own organization cannot be renamed."
          next="It is built in. To rename a customer organization, open its page."
        />
      ) : mayUpdate ? (
        <Rename />
      ) : (
        <CannotChange
          {...own}
          why="You are not allowed to rename the organization."
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
  const navigationName =
    typeof state === 'object' && state && 'name' in state && typeof state.name === 'string' ? state.name : undefined
  const current = useLookup(organization.get, { id: organizationId })
  const name = navigationName ?? current.data?.name
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
