import * as v from 'valibot'
import { Ticked, exact } from '@dmp/contract'
import { ShareForm } from '@dmp/contract/scan'

const wholeNumber = () => 'Enter a whole number.'

/** 5.13: the choices and input for a share link. The number of uses is typed, so it is text here. */
export const ShareDraft = exact({
  ...ShareForm.entries,
  maxUses: v.optional(
    v.pipe(
      v.string(wholeNumber),
      v.regex(/^\d{1,4}$/, wholeNumber),
      v.transform(Number),
      v.minValue(1, 'Allow at least one opening.'),
      v.maxValue(1000, 'Allow at most 1000 openings.'),
    ),
  ),
  isSure: Ticked(),
})
export type ShareDraft = v.InferOutput<typeof ShareDraft>
