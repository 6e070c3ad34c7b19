import { drafts, useUnsaved } from '@dmp/kit'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import type { FieldEntry, FormApi } from './formContext.ts'
import { firstState, formReducer, type FormAction } from './formReducer.ts'
import { differs, validate, createStart, type FormErrors, type FormValues } from './formSchema.ts'
import { toFormRefusal, send, type Sending } from './send.ts'

export interface FormOptions extends Sending {
  readonly defaults: FormValues
  readonly onDone: (answer: never, values: never) => void
  readonly draft: string | undefined
}

const longestDraftText = 100_000

/** Everything a form knows: values, what was left, what the server refused, and the call on its way. */
export function useFormState(options: FormOptions) {
  const { schema, defaults, draft } = options
  const [state, dispatch] = useReducer(formReducer, null, () => {
    const start = createStart(schema, defaults)
    return firstState(start, draft ? pick(start, drafts.read(draft)) : null)
  })
  const { start, values, left, refused, fields, isBusy } = state
  const verdict = validate(schema, values)
  const isDirty = differs(start, values)
  // What is not worth a draft, such as a sign-in, is not worth a question either.
  const letGo = useUnsaved(
    isDirty && draft !== undefined,
    Object.entries(values).every(([name, value]) => value === start[name] || isKeepable(name, value, fields)),
  )
  const wrong: FormErrors = { ...state.reports, ...verdict.errors }
  const isValid = verdict.isValid && Object.keys(wrong).length === 0
  useDraft(draft, isDirty, values, fields)

  const forget = (): void => {
    if (draft) drafts.remove(draft)
  }
  const submit = async (): Promise<void> => {
    if (isBusy) return
    if (!verdict.isValid || !isValid) return dispatch({ type: 'leave all' })
    dispatch({ type: 'send' })
    try {
      const answer = await send(options, values, verdict.output)
      letGo()
      forget()
      dispatch({ type: 'saved' })
      options.onDone(answer as never, verdict.output as never)
    } catch (failure) {
      dispatch({ type: 'refused', ...toFormRefusal(failure, fields) })
    }
  }
  const api: FormApi = {
    ...useStableApi(dispatch),
    valueOf(name) {
      if (!(name in start)) throw new Error(`The form's schema has no ${name}`)
      return values[name]
    },
    errorOf: (name) => refused[name] ?? (left.has(name) && wrong[name] !== 'pending' ? wrong[name] : undefined),
    isRefusal: (sentence) =>
      sentence !== undefined && state.error === null && Object.values(refused).includes(sentence),
    isGood: (name) => verdict.errors[name] === undefined,
    isBusy,
    round: state.round,
  }
  return {
    api,
    state,
    wrong,
    isDirty,
    isValid,
    submit,
    reset(): void {
      forget()
      dispatch({ type: 'reset' })
    },
    /** What was typed is given up: the form is about to go. */
    discard(): void {
      letGo()
      forget()
    },
    clearError: (): void => dispatch({ type: 'close error' }),
  }
}

function pick(start: FormValues, draft: Record<string, unknown> | null): FormValues | null {
  const entries = Object.entries(draft ?? {}).filter(([name, value]) => name in start && value !== start[name])
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

// P27: what is typed outlives a reload; secrets and whole images do not go to storage.
function isKeepable(name: string, value: unknown, fields: ReadonlyMap<string, FieldEntry>): boolean {
  return !fields.get(name)?.isSecret && !(typeof value === 'object' && JSON.stringify(value).length > longestDraftText)
}

function useDraft(
  draft: string | undefined,
  isDirty: boolean,
  values: FormValues,
  fields: ReadonlyMap<string, FieldEntry>,
): void {
  const wasDirty = useRef(isDirty)
  useEffect(() => {
    if (!draft) return
    const kept = Object.entries(values).filter(([name, value]) => isKeepable(name, value, fields))
    if (isDirty) drafts.write(draft, Object.fromEntries(kept))
    else if (wasDirty.current) drafts.remove(draft)
    wasDirty.current = isDirty
  }, [draft, isDirty, values, fields])
}

// Fields keep these in effects: new ones at each render would register for ever.
function useStableApi(
  dispatch: (action: FormAction) => void,
): Pick<FormApi, 'change' | 'preset' | 'leave' | 'report' | 'register'> {
  return useMemo(
    () => ({
      change: (name, value) => dispatch({ type: 'change', name, value }),
      preset: (name, value) => dispatch({ type: 'preset', name, value }),
      leave: (name) => dispatch({ type: 'leave', name }),
      report: (name, verdict) => dispatch({ type: 'report', name, verdict }),
      register(name, entry) {
        dispatch({ type: 'register', name, entry })
        return () => dispatch({ type: 'unregister', name })
      },
    }),
    [dispatch],
  )
}
