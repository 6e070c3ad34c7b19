import { account } from '@dmp/contract'
import { ChangePasswordForm } from '@dmp/contract/account'
import { PasswordField, SchemaForm } from '@dmp/kit/form'
import { Screen, Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { useState } from 'react'
import { SessionsSection } from './SessionsSection.tsx'

export function SecurityScreen() {
  return (
    <Screen title="Security" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Security' }]}>
      <PasswordSection />
      <SessionsSection />
    </Screen>
  )
}

/** Changes the password (2.47) by the rules for new ones (5.01). */
function PasswordSection() {
  const [changeCount, setChangeCount] = useState(0)
  return (
    <Section title="Change password">
      {/* The key empties the fields after a change. */}
      <SchemaForm
        key={changeCount}
        schema={ChangePasswordForm}
        call={account.changePassword}
        refreshes={[account.listSessions]}
        submitLabel="Change password"
        clearLabel="Clear fields"
        onDone={() => {
          notify.success('Password changed successfully!')
          setChangeCount(changeCount + 1)
        }}
      >
        <PasswordField name="oldPassword" label="Current password" autoComplete="current-password" />
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" meter />
        <PasswordField name="confirmNewPassword" label="Confirm password" autoComplete="new-password" />
      </SchemaForm>
    </Section>
  )
}
