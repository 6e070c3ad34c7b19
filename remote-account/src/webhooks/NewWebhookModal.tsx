import { useState } from 'react'
import { webhook } from '@dmp/contract'
import type { NewWebhook } from '@dmp/contract/webhook'
import { call, refresh } from '@dmp/kit'
import { FormModal } from '@dmp/kit/form'
import { newDefaults, toDraft, WebhookForm } from './webhookForm.ts'
import { WebhookFields } from './WebhookFields.tsx'
import { WebhookSecretModal } from './WebhookSecretModal.tsx'

/** Makes a webhook, then shows its secret this once. */
export function NewWebhookModal({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewWebhook>()
  if (made) return <WebhookSecretModal made={made} onClose={onClose} />
  return (
    <FormModal
      title="New webhook"
      // It holds the person's password, and makes a secret.
      draft={false}
      schema={WebhookForm}
      defaults={newDefaults}
      call={(form: WebhookForm) => call(webhook.add, toDraft(form))}
      submitLabel="Create webhook"
      onClose={onClose}
      onDone={(answer) => {
        refresh([webhook.list])
        setMade(answer)
      }}
    >
      <WebhookFields />
    </FormModal>
  )
}
