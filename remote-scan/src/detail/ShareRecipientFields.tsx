import { limits } from '@dmp/contract'
import { CheckboxField, EmailField, PasswordField, TextAreaField, useFormValue } from '@dmp/kit/form'

/** Who gets the link by mail, and the secret that it asks for. */
export function ShareRecipientFields() {
  const hasRecipient = useFormValue<string>('recipient').trim() !== ''
  const isByCode = useFormValue<boolean>('hasCode') && hasRecipient
  return (
    <>
      <EmailField
        name="recipient"
        label="Send the link to (optional)"
        autoComplete="off"
        help="An email address. Without one you pass the link on yourself."
      />
      {hasRecipient && (
        <>
          <TextAreaField
            name="message"
            label="Message (optional)"
            rows={3}
            max={limits.shareMessageMaxChars}
            help="Do not name the patient: mails can be read by others."
          />
          <CheckboxField
            name="hasCode"
            label="Ask for a code instead of a password"
            help={
              isByCode
                ? 'Each time the link is opened, a code goes to this address.'
                : 'Not chosen: no code is sent, and whoever has the link and its password, if it has one, can open it.'
            }
          />
        </>
      )}
      {!isByCode && (
        <PasswordField
          name="password"
          label="Link password (optional)"
          autoComplete="new-password"
          help="The recipient has to type it. Send the password separately from the link."
        />
      )}
    </>
  )
}
