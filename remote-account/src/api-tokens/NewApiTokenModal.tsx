import { useState } from 'react'
import { apiToken, limits, may, permits } from '@dmp/contract'
import { actionsOfScope, scopeNames, type NewApiToken } from '@dmp/contract/apiToken'
import { call, refresh, useUser } from '@dmp/kit'
import { CheckboxField, FormModal, PasswordField, SelectField, TextAreaField, TextField } from '@dmp/kit/form'
import { ApiTokenForm, lifetimes, scopeTexts, toDraft } from './apiTokenForm.ts'
import { ApiTokenSecretModal } from './ApiTokenSecretModal.tsx'
import './api-tokens.css'

const lifetimeOptions = lifetimes.map((days) => ({ value: days, label: days === '365' ? '1 year' : `${days} days` }))

/** Makes an API token, then shows its secret this once. */
export function NewApiTokenModal({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiToken>()
  const { policy } = useUser()
  const scopes = scopeNames.filter((scope) =>
    actionsOfScope[scope].some((action) => permits(policy, may('Scan', action))),
  )
  if (made) return <ApiTokenSecretModal made={made} onClose={onClose} />
  return (
    <FormModal
      title="New API token"
      // It holds the person's password, and makes a secret.
      draft={false}
      schema={ApiTokenForm}
      defaults={{ read: false, upload: false, delete: false, expireInDays: String(limits.apiTokenDefaultDays) }}
      call={(form: ApiTokenForm) => call(apiToken.add, toDraft(form))}
      submitLabel="Create API token"
      onClose={onClose}
      onDone={(answer) => {
        refresh([apiToken.list])
        setMade(answer)
      }}
    >
      <TextField
        name="name"
        label="Name"
        max={limits.apiTokenNameMaxChars}
        help="The machine and its place, such as “Orthanc in room 3”. The audit trail shows it."
      />
      <fieldset className="api-token-scopes">
        <legend>Scopes (at least one)</legend>
        {scopes.map((scope) => (
          <CheckboxField key={scope} name={scope} label={scopeTexts[scope]} />
        ))}
      </fieldset>
      <SelectField name="expireInDays" label="Expires after" options={lifetimeOptions} />
      <TextAreaField
        name="addresses"
        label="Networks (optional)"
        rows={2}
        help="Addresses or networks that it may be used from, such as 10.20.0.0/16. Leave empty for all."
      />
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        help="An API token outlives your session, so please confirm that it is you."
      />
    </FormModal>
  )
}
