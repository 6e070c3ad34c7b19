import { CallError, drafts, useUnsaved } from '@dmp/kit'
import { useEffect, useReducer, useState } from 'react'
import type { FieldActions } from './useFieldActions.ts'
import type { FieldEntry, FormApi } from './formContext.ts'
import { createState, formReducer, type FormState } from './formReducer.ts'
import { createStart, hasChanges, validate, type FormErrors, type FormValues, type Verdict } from './formSchema.ts'
import { send, toFormRefusal, type Sending } from './send.ts'
import { findDraft, isWholeDraft, useDraft } from './useDraft.ts'
import { useFieldActions } from './useFieldActions.ts'

export interface FormOptions extends Sending {
  readonly defaults: FormValues
  readonly onDone: (answer: never, values: never) => void
  readonly draft: string | undefined
}

/**
 * Everything a form knows: its values, which fields were left, what the server refused, and whether a call is
 * running.
 */
export function useFormState(options: FormOptions) {
  const { schema, defaults, draft } = options
  const [state, dispatch] = useReducer(formReducer, null, () => {
    const start = createStart(schema, defaults)
    return createState(start, findDraft(draft, start))
  })
  const [introduced] = useState(() => new Map<string, FieldEntry>())
  const { start, values, fields } = state
  const verdict = validate(schema, values)
  const isDirty = hasChanges(start, values)
  // A form without a draft, such as a sign-in, is not worth a question either.
  const letGo = useUnsaved(isDirty && draft !== undefined, isWholeDraft(start, values, fields))
  const wrong: FormErrors = { ...state.reports, ...verdict.errors }
  const isValid = verdict.isValid && Object.keys(wrong).length === 0
  useDraft(draft, isDirty, values, fields)
  useEffect(() => {
    if (!state.isBehind) return
    const stored = createStart(schema, defaults)
    if (hasChanges(start, stored)) dispatch({ type: 'catch up', stored })
  }, [state.isBehind, schema, defaults, start])
  const api = createApi(state, { wrong, verdict, introduced, actions: useFieldActions(dispatch) })

  const forget = (): void => {
    if (draft) drafts.remove(draft)
  }
  const submit = async (): Promise<void> => {
    if (state.isBusy) return
    if (!verdict.isValid || !isValid) return dispatch({ type: 'leave all' })
    dispatch({ type: 'send' })
    try {
      const answer = await send(options, { start, values }, verdict.output)
      letGo()
      forget()
      dispatch({ type: 'saved' })
      options.onDone(answer as never, verdict.output as never)
    } catch (failure) {
      const isBehind = failure instanceof CallError && failure.code === 'CHANGED_MEANWHILE'
      dispatch({ type: 'refused', ...toFormRefusal(failure, fields), isBehind })
    }
  }
  return {
    api,
    state,
    wrong,
    /** The fields that were drawn, before and after they registered. */
    known: fields.size > 0 ? fields : introduced,
    isDirty,
    isValid,
    /** All that is missing is the answer to a check. */
    isChecking: verdict.isValid && !isValid && Object.values(wrong).every((reason) => reason === 'pending'),
    submit,
    reset(): void {
      forget()
      dispatch({ type: 'reset' })
    },
    /** Discards the input, before the form goes away. */
    discard(): void {
      letGo()
      forget()
    },
    clearError: (): void => dispatch({ type: 'close error' }),
  }
}

interface Judged {
  readonly wrong: FormErrors
  readonly verdict: Verdict
  readonly introduced: Map<string, FieldEntry>
  readonly actions: FieldActions
}

function createApi(state: FormState, { wrong, verdict, introduced, actions }: Judged): FormApi {
  const { start, values, left, refused } = state
  return {
    ...actions,
    introduce: (name, entry) => void introduced.set(name, entry),
    valueOf(name) {
      if (!(name in start)) throw new Error(`The form's schema has no ${name}`)
      return values[name]
    },
    errorOf: (name) => refused[name] ?? (left.has(name) && wrong[name] !== 'pending' ? wrong[name] : undefined),
    isRefusal: (sentence) =>
      sentence !== undefined && state.error === null && Object.values(refused).includes(sentence),
    isGood: (name) => verdict.errors[name] === undefined,
    isBusy: state.isBusy,
    round: state.round,
  }
}
