import { organization } from '@dmp/contract'
import { useCan, useLookup, useUser } from '@dmp/kit'
import { useSearchParams } from '@dmp/kit/router'
import { ErrorAlert, Screen } from '@dmp/kit/screen'
import { CannotChange } from '../shared/CannotChange.tsx'
import { ExportsSection } from './ExportsSection.tsx'

/** Everything of an organization in one archive: the viewer's own, or one that the provider's people look after. */
export function OrganizationExportScreen() {
  const user = useUser()
  const [search] = useSearchParams()
  const id = search.get('organizationId') ?? user.organizationId
  const isOwn = id === user.organizationId
  const mayExport = useCan(organization.startExport)
  const { data: item, error, refetch } = useLookup(organization.get, { id }, { enabled: mayExport && !isOwn })
  const name = isOwn ? user.organization : (item?.name ?? 'Organization')
  const back = isOwn ? '/account/organization' : `/organization/detail/${id}`
  const isInternal = organization.isBuiltIn({ id })
  return (
    <Screen
      title="Export"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name, url: back }, { name: 'Export' }]}
    >
      <ErrorAlert error={error} onRetry={refetch} />
      {isInternal ? (
        <CannotChange
          {...{ name, back }}
          why="The provider's own organization cannot be exported."
          next="It has no scans. To export a customer organization, open its page."
        />
      ) : mayExport ? (
        <ExportsSection id={id} name={name} />
      ) : (
        <CannotChange
          {...{ name, back }}
          why="You are not allowed to export the organization."
          next="Ask an administrator of your organization."
        />
      )}
    </Screen>
  )
}
