import * as v from 'valibot'
import { exact, messages } from '@dmp/contract'
import { TransferForm } from '@dmp/contract/scan'

/** 5.12: the input of the first step; without anonymizing, the warning has to be ticked. */
export const TransferDraft = v.pipe(
  exact({ ...TransferForm.entries, isWarned: v.boolean(messages.required) }),
  v.forward(
    v.partialCheck(
      [['anonymize'], ['isWarned']],
      ({ anonymize, isWarned }) => anonymize || isWarned,
      messages.required,
    ),
    ['isWarned'],
  ),
)
export type TransferDraft = v.InferOutput<typeof TransferDraft>
