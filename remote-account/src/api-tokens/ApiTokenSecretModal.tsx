import type { NewApiToken } from '@dmp/contract/apiToken'
import { SecretModal } from '../shared/SecretModal.tsx'
import { ApiTokenUsage } from './ApiTokenUsage.tsx'

/** The secret, shown this once. */
export function ApiTokenSecretModal({ made, onClose }: { made: NewApiToken; onClose: () => void }) {
  return (
    <SecretModal
      title={`API token for ${made.name}`}
      label="API token"
      secret={made.token}
      warning="This is the only time that the API token is shown. Copy it to the machine now, and nowhere else."
      onClose={onClose}
    >
      <ApiTokenUsage id={made.id} />
    </SecretModal>
  )
}
