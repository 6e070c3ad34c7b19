import { webhook } from '@dmp/contract'
import type { Webhook } from '@dmp/contract/webhook'
import { useData, useLookup } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { StatusBadge } from '@dmp/kit/ui'
import { DeliveryList } from './DeliveryList.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { kindTexts, problemTexts, reasonTexts, suspended, toShownStatus, toTone } from './webhookTexts.ts'
import './webhooks.css'

export function WebhookDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(webhook.get, { id })
  const heading = 'Webhook'
  return (
    <Screen
      title={item?.name ?? heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Webhooks', url: '/account/webhooks' },
        { name: item?.name ?? 'Detail' },
      ]}
    >
      <WebhookDetail id={id} />
    </Screen>
  )
}

function WebhookDetail({ id }: { id: string }) {
  const item = useData(webhook.get, { id })
  return (
    <Detail side={<WebhookActions item={item} />}>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'Name', value: item.name },
            { label: 'Organization', value: item.organization },
            { label: 'Address', value: <bdi className="webhook-address">{item.url}</bdi>, wide: true },
            {
              label: 'Told when',
              value: item.kinds.map((kind) => (
                <div key={kind}>
                  <bdi>{kindTexts[kind]}</bdi>
                </div>
              )),
              wide: true,
            },
            { label: 'Owner', value: item.owner },
            { label: 'Created', value: <DateText value={item.createdDate} format="moment" /> },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts facts={toStatusFacts(item)} />
      </Section>
      <Section title="Deliveries">
        <DeliveryList webhookId={item.id} />
      </Section>
    </Detail>
  )
}

const sayProblem = ({ lastProblem, lastAnswerStatus }: Webhook) =>
  lastProblem && (
    <>
      <bdi>{problemTexts[lastProblem]}</bdi> {lastAnswerStatus !== null && <bdi>HTTP {lastAnswerStatus}</bdi>}
    </>
  )

function toStatusFacts(item: Webhook) {
  const why = item.status === 'Suspended' ? suspended() : item.pausedReason && reasonTexts[item.pausedReason]
  const status = toShownStatus(item)
  return [
    { label: 'Status', value: <StatusBadge value={status} tone={toTone(status)} /> },
    { label: 'Last delivered', value: <DateText value={item.lastDeliveredDate} format="moment" /> },
    ...(why ? [{ label: 'Why', value: why, wide: true }] : []),
    ...(item.failingSince
      ? [{ label: 'Failing since', value: <DateText value={item.failingSince} format="moment" /> }]
      : []),
    ...(item.lastProblem ? [{ label: 'Last answer', value: sayProblem(item), wide: true }] : []),
    ...(item.nextTryDate ? [{ label: 'Next try', value: <DateText value={item.nextTryDate} format="moment" /> }] : []),
    ...(item.previousSecretUntil
      ? [{ label: 'Earlier secret until', value: <DateText value={item.previousSecretUntil} format="moment" /> }]
      : []),
  ]
}
