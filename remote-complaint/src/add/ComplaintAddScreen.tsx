import { dataWord } from '@dmp/kit'
import { complaint, limits, type ModuleName } from '@dmp/contract'
import { call, refresh, useLookup, useUser } from '@dmp/kit'
import { ImageField, SchemaForm, SelectField, TextAreaField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Screen, Section } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'

/** 3.10: the image is sent serialized. */
const submit = ({ imageData, ...draft }: complaint.ComplaintDraft) =>
  call(complaint.add, { ...draft, imageData: imageData && JSON.stringify(imageData) })

/** 'Make a complaint', open to every signed-in user (2.12, 2.50, 5.09). */
export function ComplaintAddScreen() {
  const navigate = useNavigate()
  const types = useLookup(complaint.listTypes, {})
  // 6.08: offers the modules in the user's policy.
  const modules = useUser().policy.map(({ moduleId, module }) => ({
    value: moduleId,
    label: dataWord(complaint.moduleAliases[module as ModuleName] ?? module),
  }))
  return (
    <Screen
      title="Make a complaint"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Complaint', url: '/complaint' },
        { name: 'Add' },
      ]}
    >
      <Section title="Complaint">
        <ErrorAlert error={types.error} onRetry={types.refetch} />
        <SchemaForm
          schema={complaint.ComplaintDraft}
          call={submit}
          draft="complaint-add"
          submitLabel="Submit"
          clearLabel="Clear"
          onDone={() => {
            refresh([complaint.list])
            notify.success('Complaint has been submitted successfully')
            navigate('/complaint')
          }}
        >
          <SelectField
            name="typeId"
            label="Type"
            loading={types.isPending}
            options={(types.data ?? [])
              .filter((type) => type.isActive)
              .map((type) => ({ value: type.id, label: dataWord(type.name) }))}
          />
          <SelectField name="moduleId" label="Module" options={modules} />
          <TextAreaField name="description" label="Description" max={limits.complaintDescriptionMaxChars} rows={6} />
          <ImageField name="imageData" label="Image" help="Optional: one image under 2 MB." />
        </SchemaForm>
      </Section>
    </Screen>
  )
}
