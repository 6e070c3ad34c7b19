import * as v from 'valibot'
import { exact, messages } from '@dmp/contract'
import { ProjectName, TransferForm } from '@dmp/contract/scan'

/** Choices beside the ids of projects. */
export const noProject = 'none'
export const newProject = 'new'

/**
 * 5.12: the input of the dialog; without anonymizing, the warning has to be ticked. `project` is a choice, and
 * `projectName` what a new one is called.
 */
export const TransferDraft = v.pipe(
  exact({
    ...TransferForm.entries,
    isWarned: v.boolean(messages.required),
    project: v.string(messages.required),
    projectName: ProjectName,
  }),
  v.forward(
    v.partialCheck(
      [['anonymize'], ['isWarned']],
      ({ anonymize, isWarned }) => anonymize || isWarned,
      messages.required,
    ),
    ['isWarned'],
  ),
  v.forward(
    v.partialCheck(
      [['anonymize'], ['project'], ['projectName']],
      ({ anonymize, project, projectName }) => !anonymize || project !== newProject || projectName.trim() !== '',
      'Please enter the name of the project.',
    ),
    ['projectName'],
  ),
)
export type TransferDraft = v.InferOutput<typeof TransferDraft>
