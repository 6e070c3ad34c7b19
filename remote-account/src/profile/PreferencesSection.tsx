import { useEffect, useState } from 'react'
import { account } from '@dmp/contract'
import { useAct, useData } from '@dmp/kit'
import { CheckboxField, PasswordField, SchemaForm, useFormValue } from '@dmp/kit/form'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Button, notify } from '@dmp/kit/ui'
import { preferencesForm } from './preferencesForm.ts'

/** Long enough to read the sentence, which is about a form that is closed by then (8.03). */
const failureMs = 20_000

/**
 * Read-only until Edit is pressed (2.46). Save closes the form whether or not it worked, and shows a failure here
 * for a while (4.15, 8.03).
 */
export function PreferencesSection() {
  const { mfaEnabled } = useData(account.getPreferences, {})
  const [isEditing, setEditing] = useState(false)
  const {
    act: save,
    error,
    reset,
  } = useAct(account.updatePreferences, {
    // A change of preferences changes the user: the profile form needs the newest date.
    refreshes: [account.profile],
    onDone: () => notify.success('Preference Updated successfully!'),
  })

  useEffect(() => {
    if (!error) return
    const timer = setTimeout(reset, failureMs)
    return () => clearTimeout(timer)
  }, [error, reset])

  function edit() {
    reset()
    setEditing(true)
  }

  const editButton = isEditing ? undefined : <Button onClick={edit}>Edit</Button>
  return (
    <Section title="Preferences" extra={editButton}>
      <p className="profile-note">With MFA on, we email you a verification code each time you sign in.</p>
      <ErrorAlert error={error} onClose={reset} />
      {isEditing ? (
        <SchemaForm
          schema={preferencesForm(mfaEnabled)}
          defaults={{ mfaEnabled }}
          call={({ mfaEnabled: isMfaWanted, password }) =>
            save(password ? { mfaEnabled: isMfaWanted, password } : { mfaEnabled: isMfaWanted })
          }
          submitLabel="Save"
          draft={false}
          needsChange
          onCancel={() => setEditing(false)}
          onDone={() => setEditing(false)}
        >
          <CheckboxField name="mfaEnabled" label="MFA Enabled" />
          <PasswordWhenSwitchedOff wasEnabled={mfaEnabled} />
        </SchemaForm>
      ) : (
        <label className="dmp-check">
          <input type="checkbox" checked={mfaEnabled} disabled /> MFA Enabled
        </label>
      )}
    </Section>
  )
}

/** The password keeps a stranger at an open screen from switching the second step off. */
function PasswordWhenSwitchedOff({ wasEnabled }: { wasEnabled: boolean }) {
  const isEnabled = useFormValue<boolean>('mfaEnabled')
  if (!wasEnabled || isEnabled) return null
  return (
    <PasswordField
      name="password"
      label="Password"
      autoComplete="current-password"
      help="Enter your password to switch MFA off."
    />
  )
}
