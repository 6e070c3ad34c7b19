import { organization } from '@dmp/contract'
import { useAct, useCan, useLookup, useUser } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button, offerUndo } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { CustomerSteps, isReady } from '../setup/CustomerSteps.tsx'
import { isSetUp, ProviderSteps } from '../setup/ProviderSteps.tsx'

const refreshes = [organization.getSetup, organization.getReadiness]

/** The checklist of the viewer's organization; nothing once it is done or hidden, and the host shows no card. */
export function FirstStepsCard() {
  const { organizationId } = useUser()
  const maySetUp = useCan(organization.add)
  return maySetUp && organization.isBuiltIn({ id: organizationId }) ? (
    <ProviderCard />
  ) : (
    <CustomerCard id={organizationId} />
  )
}

function ProviderCard() {
  const { data: setup, error, refetch } = useLookup(organization.getSetup, {})
  if (error) return <ErrorAlert error={error} onRetry={refetch} />
  if (!setup || setup.isDismissed || isSetUp(setup)) return null
  return (
    <Hideable id={organization.providerOrganizationId} page="/organization/setup">
      <ProviderSteps setup={setup} />
    </Hideable>
  )
}

function CustomerCard({ id }: { id: string }) {
  const { data: readiness, error, refetch } = useLookup(organization.getReadiness, { id })
  if (error) return <ErrorAlert error={error} onRetry={refetch} />
  if (!readiness || readiness.isDismissed || isReady(readiness)) return null
  return (
    <Hideable id={id} page="/account/organization">
      <CustomerSteps id={id} readiness={readiness} />
    </Hideable>
  )
}

function Hideable({ id, page, children }: { id: string; page: string; children: ReactNode }) {
  const { act, busy, error, reset } = useAct(organization.dismissSetup, {
    refreshes,
    onDone: () =>
      offerUndo('Checklist hidden from the dashboard', {
        by: organization.dismissSetup,
        input: { id, isDismissed: false },
        refreshes,
        toText: () => 'Checklist back on the dashboard',
      }),
  })
  return (
    <>
      {children}
      <ErrorAlert error={error} onClose={reset} />
      <div className="setup-steps-foot">
        <Link to={page}>Open the checklist</Link>
        <Button size="small" loading={busy} onClick={() => void act({ id, isDismissed: true })}>
          Hide here
        </Button>
      </div>
    </>
  )
}
