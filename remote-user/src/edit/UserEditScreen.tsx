import { ProfileDraft, businessUser } from '@dmp/contract'
import { useData, personName } from '@dmp/kit'
import { SchemaForm } from '@dmp/kit/form'
import { useNavigate, useParams } from '@dmp/kit/router'
import { Screen, Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { NameFields, PhoneFields } from '../shared/ContactFields.tsx'

/** Title, names and phones of another user (2.24). */
export function UserEditScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Edit User"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'User', url: '/user' },
        { name: 'Detail', url: `/user/detail/${id}` },
        { name: 'Edit' },
      ]}
    >
      <UserEdit id={id} />
    </Screen>
  )
}

function UserEdit({ id }: { id: string }) {
  const navigate = useNavigate()
  const { civility, firstName, lastName, landline, mobile, fax, updatedDate, fullName } = useData(businessUser.get, {
    id,
  })
  const leave = () => void navigate(`/user/detail/${id}`)
  return (
    <Section title={personName(fullName)}>
      <SchemaForm
        schema={ProfileDraft}
        defaults={{ civility: civility as ProfileDraft['civility'], firstName, lastName, landline, mobile, fax }}
        call={businessUser.update}
        input={{ id, seenUpdatedDate: updatedDate }}
        refreshes={[businessUser.list]}
        columns={2}
        submitLabel="Save"
        needsChange
        onCancel={leave}
        onDone={() => {
          notify.success('Profile updated successfully!')
          leave()
        }}
      >
        <NameFields />
        <PhoneFields />
      </SchemaForm>
    </Section>
  )
}
