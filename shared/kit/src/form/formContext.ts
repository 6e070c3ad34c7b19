import { createContext, useContext, useEffect, useId } from 'react'

/** What a field says of itself to the form around it. */
export interface FieldEntry {
  /** Its name for people, in the line that says why Submit is disabled. */
  readonly label: string
  /** Never kept in a draft. */
  readonly isSecret?: boolean
}

/** What the form offers to its fields. */
export interface FormApi {
  readonly valueOf: (name: string) => unknown
  readonly change: (name: string, value: unknown) => void
  /**
   * A value that nobody typed, such as the only option (5.08): the form starts with it, so that leaving it untouched
   * asks nothing.
   */
  readonly preset: (name: string, value: unknown) => void
  /** The field was left: its error may show from now on. */
  readonly leave: (name: string) => void
  /** The error to show at the field now, if any. */
  readonly errorOf: (name: string) => string | undefined
  /** Whether this sentence is all that the server said: nothing stands beside the button. */
  readonly isRefusal: (sentence: string | undefined) => boolean
  /** Whether what the schema says of the field is good, shown or not. */
  readonly isGood: (name: string) => boolean
  /** A check outside of the schema: a sentence that stands in the way, 'pending' while it runs, undefined when good. */
  readonly report: (name: string, verdict: string | undefined) => void
  readonly register: (name: string, entry: FieldEntry) => () => void
  readonly isBusy: boolean
  /** Counts how often the form was emptied: for what a field holds besides its value. */
  readonly round: number
}

export const FormContext = createContext<FormApi | null>(null)

/** The form around this component. */
export function useForm(): FormApi {
  const form = useContext(FormContext)
  if (!form) throw new Error('A field stands outside of a SchemaForm')
  return form
}

/** The current value of a field of the form around this component: for what depends on it. */
export function useFormValue<T = unknown>(name: string): T {
  return useForm().valueOf(name) as T
}

/** One field's share of the form, with the ids that tie label, help and error to the control. */
export function useField<T>(name: string, entry: FieldEntry) {
  const form = useForm()
  const id = useId()
  const { register } = form
  const { label, isSecret = false } = entry
  // The form lists the labels of what is missing and keeps secrets out of drafts.
  useEffect(() => register(name, { label, isSecret }), [register, name, label, isSecret])
  const error = form.errorOf(name)
  return {
    id,
    value: form.valueOf(name) as T,
    error,
    change: (value: T) => form.change(name, value),
    leave: () => form.leave(name),
    isBusy: form.isBusy,
    /** For the control itself; `help` when there is a help text. */
    described: (help: unknown) => ({
      'aria-invalid': error ? true : undefined,
      'aria-describedby': [error && `${id}error`, help && `${id}help`].filter(Boolean).join(' ') || undefined,
    }),
  }
}
