import { businessUser, limits, organization } from '@dmp/contract'
import { SchemaForm, TextField } from '@dmp/kit/form'
import { Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'

export interface OrganizationFormProps {
  readonly id: string
  readonly name: string
  /** The version that the form shows. The server refuses to overwrite a newer change. */
  readonly updatedDate?: string | undefined
  readonly onClose: () => void
}

/** Renames an organization (2.53, 5.11). */
export function OrganizationForm({ id, name, updatedDate, onClose }: OrganizationFormProps) {
  return (
    <Section title="Organization">
      <SchemaForm
        schema={organization.OrganizationRename}
        defaults={{ updatedOrganizationName: name }}
        call={organization.update}
        input={{ id, ...(updatedDate && { seenUpdatedDate: updatedDate }) }}
        refreshes={[organization.list, organization.listActivated, businessUser.list]}
        submitLabel="Save"
        needsChange
        onCancel={onClose}
        onDone={() => {
          notify.success('Organization has been successfully updated')
          onClose()
        }}
      >
        <TextField name="updatedOrganizationName" label="Name" max={limits.organizationNameMaxChars} autoFocus />
      </SchemaForm>
    </Section>
  )
}
