import type { ReactNode } from 'react'
import { FieldNotes, type FieldProps } from './Field.tsx'
import { useField } from './formContext.ts'

export interface CheckboxFieldProps extends Omit<FieldProps, 'label'> {
  readonly label: ReactNode
  /** The field's name in the line beside Submit, where the label is more than text. */
  readonly short?: string
}

/** A box to tick. */
export function CheckboxField({ name, label, short, help, disabled, autoFocus }: CheckboxFieldProps) {
  const field = useField<boolean>(name, {
    label: short ?? (typeof label === 'string' && label.length < 60 ? label : 'the box to tick'),
  })
  return (
    <div className="dmp-field">
      <label className="dmp-check">
        <input
          id={field.id}
          name={name}
          type="checkbox"
          checked={field.value === true}
          disabled={disabled || field.isBusy}
          autoFocus={autoFocus}
          onChange={(event) => {
            field.change(event.target.checked)
            field.leave()
          }}
          onBlur={field.leave}
          {...field.described(help)}
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={field.id} help={help} error={field.error} />
    </div>
  )
}
