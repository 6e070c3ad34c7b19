import { businessUser, organization, type RoleChoice } from '@dmp/contract'
import type { Input } from '@dmp/contract/endpoint'
import { exact } from '@dmp/contract/fields'
import { call, dataWord, refresh, useCan, useLookup, useUser } from '@dmp/kit'
import { SchemaForm, SelectField, UniqueEmailField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { useMemo } from 'react'
import type * as v from 'valibot'
import { NameFields, PhoneFields } from '../shared/ContactFields.tsx'

// 3.16: the user name is the email, so the form does not ask for it.
const { userName: _sameAsEmail, roleId, organizationId, ...personEntries } = businessUser.add.definition.body.entries

type AddUser = Omit<Input<typeof businessUser.add>, 'userName'>

const add = (input: AddUser) => call(businessUser.add, { ...input, userName: input.email })

/** The form with those of the two that the person chooses; the others are `fixed`, and no draft can change them. */
const createForm = (fixed: Partial<AddUser>) =>
  exact<v.ObjectEntries>({
    ...personEntries,
    ...(fixed.roleId ? {} : { roleId }),
    ...(fixed.organizationId ? {} : { organizationId }),
  })

/**
 * 2.62, 5.08: role only when more than one is offered, organization only for those who may list organizations (6.05).
 */
export function UserAddForm({ roles }: { roles: readonly RoleChoice[] }) {
  const navigate = useNavigate()
  const user = useUser()
  const mayChoose = useCan(organization.list)
  const organizations = useLookup(organization.list, {}, { enabled: mayChoose })
  const choices = (organizations.data?.rows ?? []).filter(({ status }) => status === 'Activated')
  const onlyRoleId = roles.length === 1 ? roles[0]?.id : undefined
  const fixed = useMemo(
    () => ({
      ...(onlyRoleId && { roleId: onlyRoleId }),
      ...(!mayChoose && { organizationId: user.organizationId }),
    }),
    [onlyRoleId, mayChoose, user.organizationId],
  )
  const schema = useMemo(() => createForm(fixed), [fixed])
  return (
    <Section title="User">
      <ErrorAlert error={organizations.error} onRetry={organizations.refetch} />
      <SchemaForm
        schema={schema}
        defaults={{ civility: 'Mr' }}
        call={(form) => add({ ...(form as AddUser), ...fixed })}
        draft="user-add"
        columns={2}
        submitLabel="Save"
        onCancel={() => navigate('/user')}
        onDone={(user) => {
          refresh([businessUser.list, organization.getReadiness, organization.getSetup])
          notify.success(`Account for ${dataWord(user.civility)} ${user.firstName} ${user.lastName} has been added`)
          navigate('/user')
        }}
      >
        <NameFields />
        {roles.length > 1 && (
          <SelectField
            name="roleId"
            label="User Role"
            options={roles.map(({ id, displayName }) => ({ value: id, label: dataWord(displayName) }))}
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
