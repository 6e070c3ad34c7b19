import { useState } from 'react'
import { apiToken } from '@dmp/contract'
import type { ApiToken } from '@dmp/contract/apiToken'
import { useAct, useCan, useData, useLookup, personName } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { ActionBox, ConfirmModal, DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { Button, notify, StatusBadge } from '@dmp/kit/ui'
import { scopeTexts } from './apiTokenForm.ts'
import { toTone } from './apiTokenTones.ts'
import { ApiTokenUsage } from './ApiTokenUsage.tsx'
import './api-tokens.css'

export function ApiTokenDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(apiToken.get, { id })
  const heading = 'API token'
  return (
    <Screen
      title={item?.name ?? heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'API tokens', url: '/account/api-tokens' },
        { name: item?.name ?? 'Detail' },
      ]}
    >
      <ApiTokenDetail id={id} />
    </Screen>
  )
}

function ApiTokenDetail({ id }: { id: string }) {
  const item = useData(apiToken.get, { id })
  return (
    <Detail side={<ApiTokenActions item={item} />}>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'Name', value: item.name },
            { label: 'Organization', value: item.organization },
            {
              label: 'May',
              value: item.scopes.map((scope) => (
                <div key={scope}>
                  <bdi>{scopeTexts[scope]}</bdi>
                </div>
              )),
            },
            ...(item.parts?.length ? [{ label: 'Parts', value: item.parts.join(', ') }] : []),
            ...(item.previewers?.length
              ? [{ label: 'Who opens its previews', value: item.previewers.join(', ') }]
              : []),
            { label: 'Networks', value: item.addresses.length > 0 ? item.addresses.join(', ') : allText() },
            { label: 'Secret ends with', value: <code>{item.hint}</code> },
            { label: 'Owner', value: item.owner },
            { label: 'Created', value: <DateText value={item.createdDate} format="moment" /> },
            { label: 'Expires', value: <DateText value={item.expiresDate} format="moment" /> },
            { label: 'Last used', value: <DateText value={item.lastUsedDate} format="moment" /> },
            { label: 'From address', value: item.lastUsedAddress },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts
          facts={[
            { label: 'Status', value: <StatusBadge value={item.status} tone={toTone(item.status)} /> },
            ...(item.status === 'Suspended' ? [{ label: 'Why', value: suspended() }] : []),
            ...(item.endedDate === null
              ? []
              : [
                  { label: 'Ended', value: <DateText value={item.endedDate} format="moment" /> },
                  { label: 'By', value: item.endedBy && personName(item.endedBy) },
                ]),
          ]}
        />
      </Section>
      {item.status === 'Active' && (
        <Section title="Use">
          <ApiTokenUsage id={item.id} />
        </Section>
      )}
    </Detail>
  )
}

const allText = (): string => 'All'

const suspended = () =>
  'Its owner or the organization is deactivated, or the owner may not have API tokens any more. It opens nothing until that changes.'

function ApiTokenActions({ item }: { item: ApiToken }) {
  const mayEnd = useCan(apiToken.end)
  const [isAsking, setAsking] = useState(false)
  if (!mayEnd || item.status === 'Ended') return null
  return (
    <ActionBox>
      <Button danger onClick={() => setAsking(true)}>
        End API token
      </Button>
      {isAsking && <EndModal item={item} onClose={() => setAsking(false)} />}
    </ActionBox>
  )
}

/** Asks first, because a machine stops working. */
function EndModal({ item, onClose }: { item: ApiToken; onClose: () => void }) {
  const { act, busy, error, reset } = useAct(apiToken.end, {
    refreshes: [apiToken.list],
    onDone: ({ name }) => {
      notify.success(`${name} ended`)
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="End API token"
      confirmLabel="End API token"
      danger
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      <p>
        {item.name} stops working at once and cannot be started again. Its machine needs a new API token before it can
        go on.
      </p>
    </ConfirmModal>
  )
}
