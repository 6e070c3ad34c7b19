import { organization } from '@dmp/contract'
import { useAct, useData } from '@dmp/kit'
import { ErrorAlert, Screen, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { ProviderSteps } from './ProviderSteps.tsx'

/** The checklist of the installation, also when the dashboard no longer shows it. */
export function OrganizationSetupScreen() {
  return (
    <Screen
      title="Set-up"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: 'Set-up' },
      ]}
    >
      <Checklist />
    </Screen>
  )
}

function Checklist() {
  const setup = useData(organization.getSetup, {})
  const { act, busy, error, reset } = useAct(organization.dismissSetup, {
    refreshes: [organization.getSetup, organization.getReadiness],
  })
  const show = () => void act({ id: organization.providerOrganizationId, isDismissed: false })
  return (
    <Section
      title="From an empty installation to the first picture"
      extra={
        setup.isDismissed && (
          <Button loading={busy} onClick={show}>
            Show on the dashboard
          </Button>
        )
      }
    >
      <ProviderSteps setup={setup} />
      <ErrorAlert error={error} onClose={reset} />
    </Section>
  )
}
