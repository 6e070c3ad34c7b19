import { limits } from '@dmp/contract'
import type { TransferProject } from '@dmp/contract/scan'
import { SelectField, TextField, useFormValue } from '@dmp/kit/form'
import { newProject, noProject } from './transferDraft.ts'

/** Whose pseudonyms an anonymized transfer uses: its own, or those of a project. */
export function ProjectFields({ projects }: { projects: readonly TransferProject[] }) {
  const isAnonymized = useFormValue<boolean>('anonymize')
  const choice = useFormValue<string>('project')
  if (!isAnonymized) return null
  return (
    <>
      <SelectField
        name="project"
        label="Project"
        help="Transfers of one project give the same person the same pseudonym, and the same study the same new UIDs."
        options={[
          { value: noProject, label: 'No project: pseudonyms for this transfer only' },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          { value: newProject, label: 'A new project' },
        ]}
      />
      {choice === newProject && (
        <TextField name="projectName" label="Name of the new project" max={limits.projectNameMaxChars} />
      )}
    </>
  )
}
