import { webhook } from '@dmp/contract'
import type { DeliveryDetail } from '@dmp/contract/webhook'
import { useAct, useCan, useData, useLookup, useUser } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { ActionBox, DateText, Detail, ErrorAlert, Facts, Screen, Section } from '@dmp/kit/screen'
import { Button, notify, StatusBadge } from '@dmp/kit/ui'
import { useLookWhile } from './useLookWhile.ts'
import { problemTexts, toTone, typeTexts } from './webhookTexts.ts'
import './webhooks.css'

const shown = [webhook.getDelivery]

export function DeliveryScreen() {
  const { id = '', deliveryId = '' } = useParams()
  const { data: owner } = useLookup(webhook.get, { id })
  return (
    <Screen
      title="Delivery"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Webhooks', url: '/account/webhooks' },
        { name: owner?.name ?? 'Webhook', url: `/account/webhooks/${id}` },
        { name: 'Delivery' },
      ]}
    >
      <DeliveryContent id={deliveryId} organization={owner?.organization} />
    </Screen>
  )
}

interface ContentProps {
  readonly id: string
  /** Whose webhook it is, once that is known. */
  readonly organization: string | undefined
}

function DeliveryContent({ id, organization }: ContentProps) {
  const item = useData(webhook.getDelivery, { id })
  const isOwn = useUser().organization === organization
  useLookWhile(Boolean(item.nextTryDate), shown)
  return (
    <Detail side={isOwn && <DeliveryActions item={item} />}>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'Message', value: typeTexts[item.type] },
            { label: 'Status', value: <StatusBadge value={item.status} tone={toTone(item.status)} /> },
            { label: 'Id', value: <code className="webhook-address">{item.id}</code>, wide: true },
            { label: 'Created', value: <DateText value={item.createdDate} format="moment" /> },
            { label: 'Tries', value: String(item.tries) },
            { label: 'Last try', value: <DateText value={item.triedDate} format="moment" /> },
            { label: 'Next try', value: <DateText value={item.nextTryDate} format="moment" /> },
            { label: 'Study', value: item.studyUID },
            { label: 'Series', value: item.seriesUID },
          ]}
        />
      </Section>
      <Section title="Answer">
        <Facts
          facts={[
            { label: 'HTTP status', value: item.answerStatus },
            { label: 'Time', value: item.milliseconds === null ? null : `${item.milliseconds} ms` },
            ...(item.problem ? [{ label: 'Problem', value: problemTexts[item.problem], wide: true }] : []),
          ]}
        />
        {item.answer && <pre className="webhook-body">{item.answer}</pre>}
      </Section>
      <Section title="What is sent">
        <pre className="webhook-body">{item.payload}</pre>
      </Section>
    </Detail>
  )
}

function DeliveryActions({ item }: { item: DeliveryDetail }) {
  const mayReplay = useCan(webhook.replay)
  const { act, busy, error, reset } = useAct(webhook.replay, {
    refreshes: [webhook.listDeliveries, webhook.getDelivery],
    onDone: () => notify.success('The message is on its way once more.'),
  })
  if (!mayReplay) return null
  return (
    <ActionBox>
      <Button type="primary" loading={busy} onClick={() => void act({ id: item.id })}>
        Replay
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </ActionBox>
  )
}
