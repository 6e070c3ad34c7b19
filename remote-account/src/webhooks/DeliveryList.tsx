import { useState } from 'react'
import { webhook } from '@dmp/contract'
import { refresh } from '@dmp/kit'
import { DateText } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import { useLookWhile } from './useLookWhile.ts'
import { formatAnswer, toTone, typeTexts } from './webhookTexts.ts'

type Row = RowOf<typeof webhook.listDeliveries>

const columns: Column<Row>[] = [
  { title: 'Message', field: 'type', value: ({ type }) => typeTexts[type], link: true },
  { title: 'Status', field: 'status', type: 'status', tone: toTone },
  {
    title: 'Created',
    field: 'createdDate',
    type: 'date',
    render: ({ createdDate }) => <DateText value={createdDate} format="moment" />,
  },
  { title: 'Answer', value: formatAnswer, sort: false },
  { title: 'Tries', field: 'tries' },
  {
    title: 'Next try',
    field: 'nextTryDate',
    type: 'date',
    sort: false,
    render: ({ nextTryDate }) => <DateText value={nextTryDate} format="moment" />,
  },
  { title: 'Series', field: 'seriesUID', sort: false, hidden: true },
]

const shown = [webhook.listDeliveries, webhook.get]

/** Each message to a webhook, and what became of it; while one is tried, the list looks again by itself. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const [isTried, setTried] = useState(false)
  useLookWhile(isTried, shown)
  return (
    <DataTable
      endpoint={webhook.listDeliveries}
      input={{ webhookId }}
      columns={columns}
      label="Deliveries"
      rowKey={(row) => row.id}
      rowLink={(row) => `/account/webhooks/${webhookId}/${row.id}`}
      exportRows={false}
      onRows={(rows) => setTried(rows.some(({ nextTryDate }) => Boolean(nextTryDate)))}
      toolbar={<Button onClick={() => refresh(shown)}>Refresh</Button>}
    />
  )
}
