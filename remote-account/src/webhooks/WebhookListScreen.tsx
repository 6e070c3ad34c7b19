import { useState } from 'react'
import { webhook } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import { NewWebhookModal } from './NewWebhookModal.tsx'
import { toShownStatus, toTone, typeTexts } from './webhookTexts.ts'
import './webhooks.css'

const columns: Column<RowOf<typeof webhook.list>>[] = [
  { title: 'Name', field: 'name', link: true },
  { title: 'Status', field: 'status', type: 'status', value: toShownStatus, tone: toTone },
  { title: 'Address', field: 'url' },
  { title: 'Last delivered', field: 'lastDeliveredDate', type: 'date' },
  { title: 'Owner', field: 'owner' },
  {
    title: 'Told of',
    value: ({ kinds }) => kinds.map((kind) => typeTexts[kind]).join(', '),
    sort: false,
    hidden: true,
  },
  { title: 'Organization', field: 'organization', hidden: true },
  { title: 'Created', field: 'createdDate', type: 'date', hidden: true },
]

/** Programs that are told what becomes of scans. */
export function WebhookListScreen() {
  const mayAdd = useCan(webhook.add)
  const [isAdding, setAdding] = useState(false)
  const newWebhook = (
    <Button type="primary" onClick={() => setAdding(true)}>
      New webhook
    </Button>
  )
  return (
    <Screen
      title="Webhooks"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Webhooks' }]}
      actions={mayAdd && newWebhook}
    >
      <p className="webhooks-note">
        A webhook tells a program of yours when scans of your organization arrive, change or are deleted, so that it
        need not ask. Messages hold ids and no names; the program fetches a scan with an API token.
      </p>
      <DataTable
        endpoint={webhook.list}
        columns={columns}
        label="Webhooks"
        rowKey={(row) => row.id}
        rowLink={(row) => `/account/webhooks/${row.id}`}
      />
      {isAdding && <NewWebhookModal onClose={() => setAdding(false)} />}
    </Screen>
  )
}
