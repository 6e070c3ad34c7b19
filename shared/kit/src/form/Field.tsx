import { ExclamationCircleOutlined } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { useForm } from './formContext.ts'

export interface FieldProps {
  /** Key of the form's schema; a name that the schema lacks throws. */
  readonly name: string
  /** The accessible name, as the specification says it. */
  readonly label: string
  readonly help?: ReactNode
  readonly disabled?: boolean
  readonly autoFocus?: boolean
}

export interface FrameProps {
  readonly id: string
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | undefined
  /** Beside the label, at the right: a counter, a state. */
  readonly side?: ReactNode
  readonly children: ReactNode
}

/** Label above, control, help and error below. */
export function Frame({ id, label, help, error, side, children }: FrameProps) {
  return (
    <div className="dmp-field">
      <div className="dmp-field-head">
        <label htmlFor={id}>{label}</label>
        {side && <span className="dmp-field-side">{side}</span>}
      </div>
      {children}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

/** The help and the error of a field, tied to the control by id. */
export function FieldNotes({ id, help, error }: Pick<FrameProps, 'id' | 'help' | 'error'>) {
  // 8.03: a refusal is an alert, at a field as beside the button.
  const isRefusal = useForm().isRefusal(error)
  return (
    <>
      {help && (
        <div className="dmp-field-help" id={`${id}help`}>
          {help}
        </div>
      )}
      {/* Always present, so that screen readers announce later content. */}
      <div
        className="dmp-field-error"
        id={`${id}error`}
        {...(isRefusal ? { role: 'alert' } : { 'aria-live': 'polite' })}
      >
        {error && (
          <>
            <ExclamationCircleOutlined aria-hidden /> {error}
          </>
        )}
      </div>
    </>
  )
}
