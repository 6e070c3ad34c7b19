import { organization } from '@dmp/contract'
import { useAct, useCan, useLookup, useUser } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { CustomerSteps, isReady } from './CustomerSteps.tsx'

/** On an organization's own page: what is missing until its people work. Nothing once nothing is. */
export function FirstSteps({ id }: { id: string }) {
  const mayGet = useCan(organization.get)
  const mayUpdate = useCan(organization.update)
  const isOwn = useUser().organizationId === id
  const isAsked = mayGet && mayUpdate && !organization.isBuiltIn({ id })
  // The page's own calls tell what fails; without these steps it is whole.
  const { data: readiness } = useLookup(organization.getReadiness, { id }, { enabled: isAsked })
  const { act, busy, error, reset } = useAct(organization.dismissSetup, {
    refreshes: [organization.getReadiness, organization.getSetup],
  })
  if (!readiness || (isReady(readiness) && !readiness.sample)) return null
  return (
    <Section
      title="First steps"
      extra={
        isOwn &&
        readiness.isDismissed && (
          <Button loading={busy} onClick={() => void act({ id, isDismissed: false })}>
            Show on the dashboard
          </Button>
        )
      }
    >
      <ErrorAlert error={error} onClose={reset} />
      <CustomerSteps id={id} readiness={readiness} />
    </Section>
  )
}
