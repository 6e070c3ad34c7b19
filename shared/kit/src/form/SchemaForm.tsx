import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { useRef, type FormEvent, type ReactNode } from 'react'
import type * as v from 'valibot'
import { FormFoot } from './FormFoot.tsx'
import { FormContext } from './formContext.ts'
import type { FormSchema, FormValues } from './formSchema.ts'
import { useDraftName } from './useDraftName.ts'
import { focusWrong, useEnterInForm } from './useEnterInForm.ts'
import { useFormState } from './useFormState.ts'
import { useSendWhenChecked } from './useSendWhenChecked.ts'
import './form.css'

interface Common<S extends FormSchema> {
  /** Rules and messages: usually `endpoint.definition.body`. Keys that no field edits come from `defaults`. */
  readonly schema: S
  readonly defaults?: Partial<v.InferInput<S>>
  readonly submitLabel: string
  /** Shows a Cancel button, which discards the input. */
  readonly onCancel?: () => void
  /** Shows a button that empties the form back to its defaults, with this label ('Clear', 'Clear fields'). */
  readonly clearLabel?: string
  /**
   * Keeps typed values over a reload, for the same user, and asks before they are lost (P27). Forms of signed-in
   * users do so by
   * default, under their address; a name does it for a form that moves or is public. False: nothing is kept, as
   * with codes. Passwords are never kept.
   */
  readonly draft?: string | false
  /** Submit disabled while nothing changed (clause 2.46). */
  readonly needsChange?: boolean
  /** A red submit button, for actions that cannot be undone. */
  readonly danger?: boolean
  /** Two fields beside each other where there is room; for forms of many short fields. */
  readonly columns?: 1 | 2
  /** The fields. */
  readonly children: ReactNode
}

/** A form whose submit is a call of the contract: the values and `input` (parameters) together are the call's input. */
export interface EndpointFormProps<S extends FormSchema, E extends Endpoint> extends Common<S> {
  readonly call: E
  readonly input?: Partial<Input<E>>
  readonly refreshes?: readonly Endpoint[]
  readonly onDone: (answer: Answer<E>, values: v.InferOutput<S>) => void
}

/**
 * A form that submits through any function of the parsed values; an error that it throws is shown beside the button.
 */
export interface ActionFormProps<S extends FormSchema, A> extends Common<S> {
  readonly call: (values: v.InferOutput<S>) => Promise<A>
  readonly onDone: (answer: A, values: v.InferOutput<S>) => void
}

/** The common shape of both kinds. */
export interface AnyFormProps extends Common<FormSchema> {
  readonly call: Endpoint | ((values: never) => Promise<unknown>)
  readonly input?: FormValues
  readonly refreshes?: readonly Endpoint[]
  readonly onDone: (answer: never, values: never) => void
  /** Inside a dialog the error can be closed (8.03). */
  readonly isInDialog?: boolean
}

/**
 * A form drawn by a schema: errors show at blur and at submit, Submit is disabled while invalid with a line that says
 * why (5.18),
 * server errors are shown at their field or else beside the button, and leaving with typed values asks first.
 *
 * @example
 * <SchemaForm schema={Rename} call={organization.update} input={{ id }} submitLabel="Save" onDone={close}>
 *   <TextField name="updatedOrganizationName" label="Name" />
 * </SchemaForm>
 */
export function SchemaForm<S extends FormSchema, E extends Endpoint>(props: EndpointFormProps<S, E>): ReactNode
export function SchemaForm<S extends FormSchema, A>(props: ActionFormProps<S, A>): ReactNode
export function SchemaForm(props: AnyFormProps): ReactNode {
  const {
    schema,
    defaults = {},
    call,
    input = {},
    refreshes = [],
    onDone,
    draft,
    submitLabel,
    onCancel,
    clearLabel,
    needsChange = false,
    danger = false,
    isInDialog = false,
    columns = 1,
    children,
  } = props
  const draftName = useDraftName(draft, submitLabel)
  const form = useFormState({ schema, defaults, call, input, refreshes, onDone, draft: draftName })
  const element = useRef<HTMLFormElement>(null)
  const isReady = form.isValid && (form.isDirty || !needsChange)

  const send = () => void form.submit().then(() => focusWrong(element.current))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isReady) send()
  }
  const sendWhenChecked = useSendWhenChecked(form, isReady, send)
  useEnterInForm(element, () => {
    if (isReady) return
    sendWhenChecked()
    void form.submit()
  })
  const showWrong = () => {
    void form.submit()
    focusWrong(element.current)
  }

  return (
    <FormContext value={form.api}>
      {/* Sent without our code, what was typed must not stand in the address. */}
      <form ref={element} className={`dmp-form dmp-form--${columns}`} method="post" noValidate onSubmit={submit}>
        {form.state.isRestored && (
          <p className="dmp-form-restored" role="status">
            What you typed earlier was restored.{' '}
            <Button type="link" size="small" onClick={form.reset}>
              Discard
            </Button>
          </p>
        )}
        {children}
        <ErrorAlert error={form.state.error} {...(isInDialog ? { onClose: form.clearError } : {})} />
        <FormFoot
          form={form}
          isReady={isReady}
          submitLabel={submitLabel}
          clearLabel={clearLabel}
          onCancel={onCancel}
          danger={danger}
          onShowWrong={showWrong}
        />
      </form>
    </FormContext>
  )
}
