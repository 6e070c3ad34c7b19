import { businessUser, organization, type RoleChoice } from '@dmp/contract'
import { call, refresh, useCan, useLookup, useUser } from '@dmp/kit'
import { SchemaForm, SelectField, UniqueEmailField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import * as v from 'valibot'
import { NameFields, PhoneFields } from '../shared/ContactFields.tsx'

// 3.16: the user name is the email, so the form does not ask for it.
const { userName: _sameAsEmail, ...entries } = businessUser.add.definition.body.entries
const AddUserForm = v.strictObject(entries, 'Unknown property.')

const add = (form: v.InferOutput<typeof AddUserForm>) => call(businessUser.add, { ...form, userName: form.email })

/**
 * 2.62, 5.08: role only when more than one is offered, organization only for those who may list organizations (6.05).
 */
export function UserAddForm({ roles }: { roles: readonly RoleChoice[] }) {
  const navigate = useNavigate()
  const { organizationId } = useUser()
  const mayChoose = useCan(organization.list)
  const organizations = useLookup(organization.list, {}, { enabled: mayChoose })
  const choices = (organizations.data?.rows ?? []).filter(({ status }) => status === 'Activated')
  const [onlyRole] = roles.length === 1 ? roles : []
  return (
    <Section title="User">
      <ErrorAlert error={organizations.error} onRetry={organizations.refetch} />
      <SchemaForm
        schema={AddUserForm}
        defaults={{ civility: 'Mr', ...(onlyRole && { roleId: onlyRole.id }), ...(!mayChoose && { organizationId }) }}
        call={add}
        draft="user-add"
        columns={2}
        submitLabel="Save"
        onCancel={() => navigate('/user')}
        onDone={(user) => {
          refresh([businessUser.list])
          notify.success(`Account for ${user.civility} ${user.firstName} ${user.lastName} has been added`)
          navigate('/user')
        }}
      >
        <NameFields />
        {roles.length > 1 && (
          <SelectField
            name="roleId"
            label="User Role"
            options={roles.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          />
        )}
        {mayChoose && (
          <SelectField
            name="organizationId"
            label="Organization"
            loading={organizations.isPending}
            options={choices.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <UniqueEmailField name="email" label="Email" endpoint={businessUser.emailAvailable} autoComplete="off" />
        <PhoneFields />
      </SchemaForm>
    </Section>
  )
}
