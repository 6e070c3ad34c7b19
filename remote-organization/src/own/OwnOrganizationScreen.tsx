import { organization } from '@dmp/contract'
import { useCan, useUser } from '@dmp/kit'
import { Facts, Screen, Section } from '@dmp/kit/screen'
import { FirstSteps } from '../setup/FirstSteps.tsx'
import { OrganizationDetail } from '../shared/OrganizationDetail.tsx'

/** The viewer's own organization (2.27). Users who may not read organizations see the name from their profile. */
export function OwnOrganizationScreen() {
  const user = useUser()
  const mayGet = useCan(organization.get)
  return (
    <Screen
      title={user.organization}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: user.organization }]}
    >
      {mayGet ? (
        <>
          <FirstSteps id={user.organizationId} />
          <OrganizationDetail id={user.organizationId} editPath="/account/organization/edit" />
        </>
      ) : (
        <Section title="Organization Details">
          <Facts facts={[{ label: 'Name', value: user.organization }]} />
        </Section>
      )}
    </Screen>
  )
}
