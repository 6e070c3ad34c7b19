import type { NewWebhook } from '@dmp/contract/webhook'
import { SecretModal } from '../shared/SecretModal.tsx'

/** The secret by which the receiver knows that a message is ours, shown this once. */
export function WebhookSecretModal({ made, onClose }: { made: NewWebhook; onClose: () => void }) {
  return (
    <SecretModal
      title={`Secret for ${made.name}`}
      label="Secret"
      secret={made.secret}
      warning="This is the only time that the secret is shown. Copy it to the receiver now, and nowhere else."
      onClose={onClose}
    >
      <p>
        The receiver verifies each message with it, by the rules of Standard Webhooks.
        {made.previousSecretUntil !== null &&
          ' For a day messages are signed with the earlier secret as well, so that none is lost while you change it.'}
      </p>
    </SecretModal>
  )
}
