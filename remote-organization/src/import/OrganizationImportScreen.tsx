import { organization } from '@dmp/contract'
import { useCan, useLookup, useUser } from '@dmp/kit'
import { useSearchParams } from '@dmp/kit/router'
import { ErrorAlert, Screen } from '@dmp/kit/screen'
import { CannotChange } from '../shared/CannotChange.tsx'
import { ImportsSection } from './ImportsSection.tsx'

/** An exported archive for an organization: the viewer's own, or one that the provider's people look after. */
export function OrganizationImportScreen() {
  const user = useUser()
  const [search] = useSearchParams()
  const id = search.get('organizationId') ?? user.organizationId
  const isOwn = id === user.organizationId
  const mayImport = useCan(organization.startImport)
  const { data: item, error, refetch } = useLookup(organization.get, { id }, { enabled: mayImport && !isOwn })
  const name = isOwn ? user.organization : (item?.name ?? 'Organization')
  const back = isOwn ? '/account/organization' : `/organization/detail/${id}`
  const isInternal = organization.isBuiltIn({ id })
  return (
    <Screen
      title="Import"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name, url: back }, { name: 'Import' }]}
    >
      <ErrorAlert error={error} onRetry={refetch} />
      {isInternal ? (
        <CannotChange
          {...{ name, back }}
          why="The provider's own organization takes no imports."
          next="It has no scans. To import into a customer organization, open its page."
        />
      ) : mayImport ? (
        <ImportsSection id={id} name={name} />
      ) : (
        <CannotChange
          {...{ name, back }}
          why="You are not allowed to import into the organization."
          next="Ask an administrator of your organization."
        />
      )}
    </Screen>
  )
}
