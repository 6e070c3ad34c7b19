import { limits } from '@dmp/contract'
import { changeKinds } from '@dmp/contract/changes'
import { CheckboxField, PasswordField, TextField } from '@dmp/kit/form'
import { kindTexts } from './webhookTexts.ts'
import './webhooks.css'

/** The fields of a `WebhookForm`. */
export function WebhookFields() {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        max={limits.apiTokenNameMaxChars}
        help="The program that is told, such as “Chest reader”. The audit trail shows it."
      />
      <TextField
        name="url"
        label="Address"
        max={limits.webhookUrlMaxChars}
        help="Where the program listens. It begins with “https:”."
      />
      <fieldset className="webhook-kinds">
        <legend>Tell it when (at least one)</legend>
        {changeKinds.map((kind) => (
          <CheckboxField key={kind} name={kind} label={kindTexts[kind]} short="Told when" />
        ))}
      </fieldset>
      <OwnPassword />
    </>
  )
}

/** A webhook outlives the session of whoever makes it. */
export function OwnPassword() {
  return (
    <PasswordField
      name="password"
      label="Your password"
      autoComplete="current-password"
      help="A webhook goes on after your session, so please confirm that it is you."
    />
  )
}
