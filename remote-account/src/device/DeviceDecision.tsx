import { apiToken, limits } from '@dmp/contract'
import type { Device, ScopeName } from '@dmp/contract/apiToken'
import { call, refresh, useAct, useUser } from '@dmp/kit'
import { SchemaForm } from '@dmp/kit/form'
import { DateText, ErrorAlert, Facts, Section } from '@dmp/kit/screen'
import { Alert, Button } from '@dmp/kit/ui'
import { ApiTokenFields } from '../api-tokens/ApiTokenFields.tsx'
import { ApiTokenForm, listOwnScopes, scopeTexts, toDraft, toScopeBoxes } from '../api-tokens/apiTokenForm.ts'
import { Step } from './Step.tsx'

interface DeviceDecisionProps {
  readonly code: string
  readonly device: Device
  readonly onApproved: (name: string) => void
  readonly onDenied: () => void
  readonly onCancel: () => void
}

const half = limits.userCodeChars / 2

/** What asks, and what the person lets it have. */
export function DeviceDecision({ code, device, onApproved, onDenied, onCancel }: DeviceDecisionProps) {
  const scopes = listOwnScopes(useUser().policy, device.scopes)
  const { act: deny, busy, error, reset } = useAct(apiToken.denyDevice, { onDone: onDenied })
  return (
    <Step label="Decide about the machine">
      <Alert
        type="warning"
        showIcon
        title={`Approve only what you started yourself, on a machine that shows ${code.slice(0, half)}-${code.slice(half)}.`}
        description="Somebody who sent you this code or a link with it would get access to scans of your organization."
      />
      <Section
        title="What asks"
        extra={
          <Button danger loading={busy} onClick={() => void deny({ code })}>
            Deny
          </Button>
        }
      >
        <ErrorAlert error={error} onClose={reset} />
        <DeviceFacts device={device} />
      </Section>
      <Section title="What it may have">
        {scopes.length > 0 ? (
          <ApprovalForm code={code} device={device} scopes={scopes} onApproved={onApproved} onCancel={onCancel} />
        ) : (
          <p>It asks for what you may not do yourself, so you cannot approve it.</p>
        )}
      </Section>
    </Step>
  )
}

/** Its own words, which prove nothing; address and time are what the server saw. */
function DeviceFacts({ device }: { device: Device }) {
  return (
    <Facts
      facts={[
        { label: 'Calls itself', value: <bdi>{device.name}</bdi> },
        { label: 'Program', value: <bdi>{device.clientId}</bdi> },
        {
          label: 'Asks for',
          value: device.scopes.map((scope) => (
            <div key={scope}>
              <bdi>{scopeTexts[scope]}</bdi>
            </div>
          )),
        },
        { label: 'From address', value: <bdi>{device.address}</bdi> },
        { label: 'Asked', value: <DateText value={device.requestedDate} format="moment" /> },
        { label: 'Code ends', value: <DateText value={device.expiresDate} format="moment" /> },
      ]}
    />
  )
}

interface ApprovalFormProps extends Pick<DeviceDecisionProps, 'code' | 'device' | 'onApproved' | 'onCancel'> {
  readonly scopes: readonly ScopeName[]
}

function ApprovalForm({ code, device, scopes, onApproved, onCancel }: ApprovalFormProps) {
  const isAsked = (scope: ScopeName): boolean => scopes.includes(scope)
  return (
    <SchemaForm
      schema={ApiTokenForm}
      // It holds the person's password.
      draft={false}
      defaults={{
        name: device.name,
        ...toScopeBoxes(isAsked),
        expireInDays: String(limits.apiTokenDefaultDays),
      }}
      call={(form: ApiTokenForm) => call(apiToken.approveDevice, { code, ...toDraft(form) })}
      submitLabel="Approve"
      onCancel={onCancel}
      onDone={(_answer, { name }) => {
        refresh([apiToken.list])
        onApproved(name)
      }}
    >
      <ApiTokenFields scopes={scopes} />
    </SchemaForm>
  )
}
