import { createContext, useContext, useEffect, useEffectEvent, useId, useLayoutEffect } from 'react'

/** The entry that a field registers with its form. */
export interface FieldEntry {
  /** The field's name in the line that says why Submit is disabled. */
  readonly label: string
  /** Never kept in a draft. */
  readonly isSecret?: boolean
}

/** The interface between a form and its fields. */
export interface FormApi {
  readonly valueOf: (name: string) => unknown
  readonly change: (name: string, value: unknown) => void
  /**
   * Sets a value that was not typed, such as the only option (5.08). It becomes part of the start, so that leaving
   * does not ask.
   */
  readonly preset: (name: string, value: unknown) => void
  /** Marks the field as left, so that its error may be shown. */
  readonly leave: (name: string) => void
  /** The error to show at the field, if any. */
  readonly errorOf: (name: string) => string | undefined
  /** Whether this sentence is the whole refusal, with nothing shown beside the button. */
  readonly isRefusal: (sentence: string | undefined) => boolean
  /** Whether the field is valid by the schema. */
  readonly isGood: (name: string) => boolean
  /**
   * Reports a check outside of the schema: a message that blocks submit, 'pending' while it runs, undefined when it
   * passed.
   */
  readonly report: (name: string, verdict: string | undefined) => void
  readonly register: (name: string, entry: FieldEntry) => () => void
  /** Called as the field is drawn: markup that is drawn before its code has no effects in which to register. */
  readonly introduce: (name: string, entry: FieldEntry) => void
  readonly isBusy: boolean
  /** Counts resets, for fields with state besides their value. */
  readonly round: number
}

export const FormContext = createContext<FormApi | null>(null)

/** The form around this component. */
export function useForm(): FormApi {
  const form = useContext(FormContext)
  if (!form) throw new Error('A field is outside a SchemaForm')
  return form
}

/** The current value of a field of the surrounding form. */
export function useFormValue<T = unknown>(name: string): T {
  return useForm().valueOf(name) as T
}

/** One field's part of the form, with the ids that tie label, help and error to the control. */
export function useField<T>(name: string, entry: FieldEntry) {
  const form = useForm()
  const id = useId()
  const { register } = form
  const { label, isSecret = false } = entry
  form.introduce(name, entry)
  // The form needs the labels to list missing fields, and has to keep secrets out of drafts.
  useEffect(() => register(name, { label, isSecret }), [register, name, label, isSecret])
  const error = form.errorOf(name)
  useTypedBefore(id, form.valueOf(name), (value) => form.change(name, value))
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

/** A control of a page that stood there before its code: what somebody typed or chose in it meanwhile counts. */
function useTypedBefore(id: string, value: unknown, change: (value: unknown) => void): void {
  const adopt = useEffectEvent(() => {
    const control = document.getElementById(id)
    if (control === null || control.closest('[data-drawn]') === null) return
    const typed = readControl(control)
    if (typed !== undefined && typed !== (value ?? '')) change(typed)
  })
  // Before anything else draws the form again, which would write the form's own value into it.
  useLayoutEffect(() => adopt(), [])
}

function readControl(control: HTMLElement): unknown {
  if (control instanceof HTMLSelectElement) return control.value
  if (!(control instanceof HTMLInputElement)) return undefined
  if (control.type === 'checkbox') return control.checked
  return ['text', 'email', 'tel', 'password'].includes(control.type) && control.role !== 'combobox'
    ? control.value
    : undefined
}
