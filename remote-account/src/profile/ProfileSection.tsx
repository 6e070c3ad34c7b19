import { useState } from 'react'
import { ProfileDraft, account, businessUser, civilities, limits, type User } from '@dmp/contract'
import { dataWord, session, useData } from '@dmp/kit'
import { PhoneField, SchemaForm, TextField, TitleField } from '@dmp/kit/form'
import { Facts, Section } from '@dmp/kit/screen'
import { Button, notify } from '@dmp/kit/ui'
import './profile.css'

/** Read-only until Edit is pressed. Saving updates the shown and the stored user and closes the form (4.15). */
export function ProfileSection() {
  const user = useData(account.profile, {})
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  if (isEditing)
    return (
      <Section title="Profile Information">
        <ProfileForm user={user} onClose={close} />
      </Section>
    )
  return (
    <Section title="Profile Information" extra={<Button onClick={() => setEditing(true)}>Edit</Button>}>
      <Facts
        columns={3}
        facts={[
          { label: 'Title', value: dataWord(user.civility) },
          { label: 'First name', value: user.firstName },
          { label: 'Last name', value: user.lastName },
          { label: 'Mobile', value: user.mobile },
          { label: 'Landline', value: user.landline },
          { label: 'Fax', value: user.fax },
        ]}
      />
    </Section>
  )
}

function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { firstName, lastName, mobile, landline, fax, updatedDate } = user
  const civility = civilities.find((title) => title === user.civility) ?? civilities[0]
  return (
    <SchemaForm
      schema={ProfileDraft}
      defaults={{ civility, firstName, lastName, mobile, landline, fax }}
      call={businessUser.updateProfile}
      input={{ seenUpdatedDate: updatedDate }}
      refreshes={[businessUser.list, businessUser.get]}
      submitLabel="Save"
      needsChange
      onCancel={onClose}
      onDone={(saved) => {
        session.storeUser(saved)
        notify.success('Profile updated successfully!')
        onClose()
      }}
    >
      <div className="profile-fields">
        <TitleField name="civility" />
        <TextField name="firstName" label="First name" autoComplete="given-name" max={limits.personNameMaxChars} />
        <TextField name="lastName" label="Last name" autoComplete="family-name" max={limits.personNameMaxChars} />
        <PhoneField name="mobile" label="Mobile" />
        <PhoneField name="landline" label="Landline" />
        <PhoneField name="fax" label="Fax" />
      </div>
    </SchemaForm>
  )
}
