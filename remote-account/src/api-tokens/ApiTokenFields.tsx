import { limits } from '@dmp/contract'
import { isReleaseScope, type ScopeName } from '@dmp/contract/apiToken'
import { CheckboxField, PasswordField, SelectField, TextAreaField, TextField } from '@dmp/kit/form'
import { lifetimes, scopeTexts } from './apiTokenForm.ts'
import './api-tokens.css'

const lifetimeOptions = lifetimes.map((days) => ({ value: days, label: days === '365' ? '1 year' : `${days} days` }))

/** The fields of an `ApiTokenForm`, with the scopes that may be chosen. */
export function ApiTokenFields({ scopes }: { scopes: readonly ScopeName[] }) {
  const forReleases = scopes.filter(isReleaseScope)
  return (
    <>
      <TextField
        name="name"
        label="Name"
        max={limits.apiTokenNameMaxChars}
        help="The machine and its place, such as “Orthanc in room 3”. The audit trail shows it."
      />
      <fieldset className="api-token-scopes">
        <legend>Scopes (at least one)</legend>
        {scopes
          .filter((scope) => !isReleaseScope(scope))
          .map((scope) => (
            <CheckboxField key={scope} name={scope} label={scopeTexts[scope]} short="Scopes" />
          ))}
      </fieldset>
      {forReleases.length > 0 && (
        <fieldset className="api-token-scopes">
          <legend>Or for the releases of a team</legend>
          {forReleases.map((scope) => (
            <CheckboxField key={scope} name={scope} label={scopeTexts[scope]} />
          ))}
          <TextField
            name="parts"
            label="Parts (for releases)"
            help="The parts that the team may release, such as remote-report. It can do nothing to any other."
          />
          <TextAreaField
            name="previewers"
            label="People who open its previews (optional)"
            rows={2}
            help="Email addresses of accounts. Super administrators may open every preview; leave empty for nobody else."
          />
        </fieldset>
      )}
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
    </>
  )
}
