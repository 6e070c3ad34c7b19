import { useState } from 'react'
import * as v from 'valibot'
import { exact, Password, webhook } from '@dmp/contract'
import type { NewWebhook, Webhook } from '@dmp/contract/webhook'
import { call, refresh, updateCache, useAct } from '@dmp/kit'
import { FormModal, SelectField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ConfirmModal } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { toDefaults, toDraft, WebhookForm } from './webhookForm.ts'
import { OwnPassword, WebhookFields } from './WebhookFields.tsx'
import { WebhookSecretModal } from './WebhookSecretModal.tsx'

interface DialogProps {
  readonly item: Webhook
  readonly onClose: () => void
}

export function EditWebhookModal({ item, onClose }: DialogProps) {
  return (
    <FormModal
      title="Edit webhook"
      draft={false}
      schema={WebhookForm}
      defaults={toDefaults(item)}
      call={(form: WebhookForm) => call(webhook.update, { id: item.id, ...toDraft(form) })}
      submitLabel="Save"
      onClose={onClose}
      onDone={(answer, form) => {
        updateCache(webhook.update, { input: { id: item.id, ...toDraft(form) }, answer, refreshes: [webhook.list] })
        notify.success(`${answer.name} saved`)
        onClose()
      }}
    >
      <WebhookFields />
    </FormModal>
  )
}

/** Makes a new secret, then shows it this once. */
export function NewSecretModal({ item, onClose }: DialogProps) {
  const [made, setMade] = useState<NewWebhook>()
  if (made) return <WebhookSecretModal made={made} onClose={onClose} />
  return (
    <FormModal
      title="New secret"
      draft={false}
      schema={exact({ password: Password })}
      call={webhook.renewSecret}
      input={{ id: item.id }}
      refreshes={[webhook.list, webhook.get]}
      submitLabel="Make a new secret"
      onClose={onClose}
      onDone={setMade}
    >
      <p>For a day messages are signed with both secrets, so that you can change the receiver without losing any.</p>
      <OwnPassword />
    </FormModal>
  )
}

const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '72', label: 'Last 3 days' },
  { value: '168', label: 'Last 7 days' },
]
const Span = v.picklist(['1', '24', '72', '168'], 'Choose how far back.')

export function ReplayModal({ item, onClose }: DialogProps) {
  return (
    <FormModal
      title="Replay changes"
      draft={false}
      schema={exact({ hours: Span })}
      defaults={{ hours: '24' }}
      call={({ hours }) => {
        const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString()
        return call(webhook.replaySince, { id: item.id, since })
      }}
      submitLabel="Replay"
      onClose={onClose}
      onDone={() => {
        refresh([webhook.get, webhook.listDeliveries])
        notify.success('The changes are on their way.')
        onClose()
      }}
    >
      <p>
        All changes since then are sent once more, also those from before the webhook was made. A message that was sent
        before keeps its id, so that the receiver can tell.
      </p>
      <SelectField name="hours" label="Changes of the" options={spans} />
    </FormModal>
  )
}

/** Asks first, because a program is not told any more. */
export function DeleteWebhookModal({ item, onClose }: DialogProps) {
  const navigate = useNavigate()
  const { act, busy, error, reset } = useAct(webhook.remove, {
    refreshes: [webhook.list],
    onDone: () => {
      notify.success(`${item.name} deleted`)
      navigate('/account/webhooks')
    },
  })
  return (
    <ConfirmModal
      title="Delete webhook"
      confirmLabel="Delete webhook"
      danger
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      <p>{item.name} sends nothing any more, and the record of its deliveries goes with it.</p>
    </ConfirmModal>
  )
}
