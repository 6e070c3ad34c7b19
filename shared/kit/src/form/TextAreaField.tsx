import { Frame, type FieldProps } from './Field.tsx'
import { useField } from './formContext.ts'

export interface TextAreaFieldProps extends FieldProps {
  /** Most characters; a counter says how many are left. */
  readonly max?: number
  readonly rows?: number
}

/** Several lines of text. */
export function TextAreaField({ name, label, help, disabled, autoFocus, max, rows = 4 }: TextAreaFieldProps) {
  const field = useField<string>(name, { label })
  const text = field.value ?? ''
  const left = max === undefined ? undefined : max - text.length
  return (
    <Frame
      id={field.id}
      label={label}
      help={help}
      error={field.error}
      side={
        left !== undefined && (
          <span className={left < 0 ? 'dmp-over' : undefined}>{left < 0 ? `${-left} too many` : `${left} left`}</span>
        )
      }
    >
      <textarea
        id={field.id}
        name={name}
        className="dmp-input"
        rows={rows}
        value={text}
        disabled={disabled || field.isBusy}
        autoFocus={autoFocus}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.leave}
        {...field.described(help)}
      />
    </Frame>
  )
}
