import { useState } from 'react'
import { apiToken, limits } from '@dmp/contract'
import { scopeNames, type NewApiToken } from '@dmp/contract/apiToken'
import { call, refresh, useUser } from '@dmp/kit'
import { FormModal } from '@dmp/kit/form'
import { ApiTokenFields } from './ApiTokenFields.tsx'
import { ApiTokenForm, listOwnScopes, toDraft, toScopeBoxes } from './apiTokenForm.ts'
import { ApiTokenSecretModal } from './ApiTokenSecretModal.tsx'

/** Makes an API token, then shows its secret this once. */
export function NewApiTokenModal({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiToken>()
  const { policy } = useUser()
  const scopes = listOwnScopes(policy, scopeNames)
  if (made) return <ApiTokenSecretModal made={made} onClose={onClose} />
  return (
    <FormModal
      title="New API token"
      // It holds the person's password, and makes a secret.
      draft={false}
      schema={ApiTokenForm}
      defaults={{
        ...toScopeBoxes(() => false),
        expireInDays: String(limits.apiTokenDefaultDays),
      }}
      call={(form: ApiTokenForm) => call(apiToken.add, toDraft(form))}
      submitLabel="Create API token"
      onClose={onClose}
      onDone={(answer) => {
        refresh([apiToken.list])
        setMade(answer)
      }}
    >
      <ApiTokenFields scopes={scopes} />
    </FormModal>
  )
}
