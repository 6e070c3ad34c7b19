import { useState } from 'react'
import { webhook } from '@dmp/contract'
import type { Webhook } from '@dmp/contract/webhook'
import { useAct, useCan, useUser } from '@dmp/kit'
import { ActionBox, ErrorAlert } from '@dmp/kit/screen'
import { Button, notify } from '@dmp/kit/ui'
import { DeleteWebhookModal, EditWebhookModal, NewSecretModal, ReplayModal } from './WebhookDialogs.tsx'

const dialogs = { edit: EditWebhookModal, secret: NewSecretModal, replay: ReplayModal, remove: DeleteWebhookModal }

/** Only people of its organization send in its name; the provider's staff may stop it. */
export function WebhookActions({ item }: { item: Webhook }) {
  const user = useUser()
  const mayUpdate = useCan(webhook.update)
  const mayRemove = useCan(webhook.remove)
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const mayDecide = mayUpdate && user.organization === item.organization
  const isActive = item.status === 'Active'
  const Dialog = open && dialogs[open]
  if (!mayUpdate && !mayRemove) return null
  return (
    <ActionBox>
      {mayDecide && <Button onClick={() => setOpen('edit')}>Edit</Button>}
      {mayDecide && isActive && <TestButton item={item} />}
      {mayDecide && isActive && <Button onClick={() => setOpen('replay')}>Replay</Button>}
      {mayDecide && <Button onClick={() => setOpen('secret')}>New secret</Button>}
      {mayUpdate && item.status !== 'Paused' && <PauseButton item={item} />}
      {mayDecide && item.status === 'Paused' && <ResumeButton item={item} />}
      {mayRemove && (
        <Button danger onClick={() => setOpen('remove')}>
          Delete webhook
        </Button>
      )}
      {Dialog && <Dialog item={item} onClose={() => setOpen(undefined)} />}
    </ActionBox>
  )
}

function TestButton({ item }: { item: Webhook }) {
  const { act, busy, error, reset } = useAct(webhook.sendTest, {
    refreshes: [webhook.listDeliveries],
    onDone: () => notify.success('The test is on its way. Its answer appears under Deliveries.'),
  })
  return (
    <>
      <Button loading={busy} onClick={() => void act({ id: item.id })}>
        Send a test
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </>
  )
}

function PauseButton({ item }: { item: Webhook }) {
  const { act, busy, error, reset } = useAct(webhook.pause, {
    refreshes: [webhook.list, webhook.listDeliveries],
    onDone: ({ name }) => notify.success(`${name} paused`),
  })
  return (
    <>
      <Button loading={busy} onClick={() => void act({ id: item.id })}>
        Pause
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </>
  )
}

function ResumeButton({ item }: { item: Webhook }) {
  const { act, busy, error, reset } = useAct(webhook.resume, {
    refreshes: [webhook.list, webhook.listDeliveries],
    onDone: ({ name }) => notify.success(`${name} resumed`),
  })
  return (
    <>
      <Button type="primary" loading={busy} onClick={() => void act({ id: item.id })}>
        Resume
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </>
  )
}
