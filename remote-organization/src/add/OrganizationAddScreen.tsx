import { businessUser, limits, organization, scan } from '@dmp/contract'
import type { OrganizationDraft, SaasName } from '@dmp/contract/organization'
import { call, refresh } from '@dmp/kit'
import { CheckboxField, SchemaForm, TextField, TitleField, UniqueEmailField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { Screen, Section } from '@dmp/kit/screen'
import { Checkbox, notify } from '@dmp/kit/ui'
import { useState } from 'react'
import './add.css'

export function OrganizationAddScreen() {
  return (
    <Screen
      title="Add Organization"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: 'Add' },
      ]}
    >
      <OrganizationAdd />
    </Screen>
  )
}

/** A customer that works as soon as its first administrator has read the mail. */
function OrganizationAdd() {
  const navigate = useNavigate()
  const [saas, setSaas] = useState<readonly SaasName[]>([])
  const toggle = (name: SaasName) =>
    setSaas(saas.includes(name) ? saas.filter((chosen) => chosen !== name) : [...saas, name])
  return (
    <Section title="Organization">
      <SchemaForm
        schema={organization.OrganizationDraft}
        defaults={{ civility: 'Mr', withDatastore: true }}
        call={(form) => call(organization.add, { ...(form as OrganizationDraft), saas: [...saas] })}
        draft="organization-add"
        columns={2}
        submitLabel="Add organization"
        onCancel={() => navigate('/organization')}
        onDone={({ id, name }) => {
          refresh([
            organization.list,
            organization.listActivated,
            organization.getSetup,
            businessUser.list,
            scan.getStorage,
          ])
          notify.success(`${name} added`)
          navigate(`/organization/detail/${id}`)
        }}
      >
        <TextField name="name" label="Name" max={limits.organizationNameMaxChars} autoFocus />
        <CheckboxField name="withDatastore" label="Create the datastore" help="Scans are stored in it." />
        <fieldset className="organization-saas">
          <legend>Licensed add-on apps</legend>
          {organization.saasNames.map((name) => (
            <Checkbox key={name} checked={saas.includes(name)} onChange={() => toggle(name)}>
              {name}
            </Checkbox>
          ))}
        </fieldset>
        <h3 className="organization-part">First administrator, who is invited by mail</h3>
        <TitleField name="civility" />
        <TextField name="firstName" label="First Name" max={limits.personNameMaxChars} />
        <TextField name="lastName" label="Last Name" max={limits.personNameMaxChars} />
        <UniqueEmailField name="email" label="Email" endpoint={businessUser.emailAvailable} autoComplete="off" />
      </SchemaForm>
    </Section>
  )
}
