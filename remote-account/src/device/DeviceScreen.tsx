import { useState } from 'react'
import { apiToken } from '@dmp/contract'
import type { Device } from '@dmp/contract/apiToken'
import { useCan } from '@dmp/kit'
import { Link, useSearchParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Alert, Button } from '@dmp/kit/ui'
import { CodeSection } from './CodeSection.tsx'
import { DeviceDecision } from './DeviceDecision.tsx'
import { Step } from './Step.tsx'
import './device.css'

type State =
  | { readonly step: 'code' }
  | { readonly step: 'decide'; readonly code: string; readonly device: Device }
  | { readonly step: 'done'; readonly title: string; readonly sentence: string; readonly isApproved: boolean }

const breadcrumbs = [
  { name: 'Dashboard', url: '/dashboard' },
  { name: 'API tokens', url: '/account/api-tokens' },
  { name: 'Connect a machine' },
]

/** Where people come with the code that a machine shows (RFC 8628). */
export function DeviceScreen() {
  const mayApprove = useCan(apiToken.approveDevice)
  if (mayApprove)
    return (
      <Screen title="Connect a machine" breadcrumbs={breadcrumbs}>
        <Steps />
      </Screen>
    )
  return (
    <Screen title="Connect a machine" breadcrumbs={breadcrumbs.filter(({ name }) => name !== 'API tokens')}>
      <Alert
        type="info"
        showIcon
        title="Administrators of your organization connect machines. Give the code that the machine shows to one of them."
      />
    </Screen>
  )
}

function Steps() {
  const [parameters] = useSearchParams()
  const [state, setState] = useState<State>({ step: 'code' })
  if (state.step === 'code')
    return (
      <CodeSection
        code={parameters.get('code') ?? ''}
        onFound={(code, device) => setState({ step: 'decide', code, device })}
      />
    )
  if (state.step === 'decide')
    return (
      <DeviceDecision
        code={state.code}
        device={state.device}
        onApproved={(name) => setState(toApproved(name))}
        onDenied={() => setState(denied)}
        onCancel={() => setState({ step: 'code' })}
      />
    )
  return (
    <Step label={state.title}>
      <Alert
        type={state.isApproved ? 'success' : 'info'}
        showIcon
        role="status"
        title={state.title}
        description={state.sentence}
      />
      <p className="device-links">
        <Button onClick={() => setState({ step: 'code' })}>Enter another code</Button>
        <Link to="/account/api-tokens">Go to API tokens</Link>
      </p>
    </Step>
  )
}

const toApproved = (name: string): State => ({
  step: 'done',
  title: 'Approved',
  sentence: `${name} fetches its API token within the next seconds. Look at the machine: it says when it is connected.`,
  isApproved: true,
})

const denied: State = {
  step: 'done',
  title: 'Denied',
  sentence: 'The machine gets nothing, and its code is worth nothing any more.',
  isApproved: false,
}
