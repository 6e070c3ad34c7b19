import { organization } from '@dmp/contract'
import { useCan, useUser } from '@dmp/kit'
import { Facts, Screen, Section } from '@dmp/kit/screen'
import { OrganizationDetail } from '../shared/OrganizationDetail'

/** The viewer's own organization (2.27). Who may not read organizations sees what their own profile says. */
export function OwnOrganizationScreen() {
  const user = useUser()
  const mayGet = useCan(organization.get)
  return (
    <Screen
      title={user.organization}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: user.organization }]}
    >
      {mayGet ? (
        <OrganizationDetail id={user.organizationId} editPath="/account/organization/edit" />
      ) : (
        <Section title="Organization Details">
          <Facts facts={[{ label: 'Name', value: user.organization }]} />
        </Section>
      )}
    </Screen>
  )
}
