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
  const charsLeft = max === undefined ? undefined : max - text.length
  return (
    <Frame
      id={field.id}
      label={label}
      help={help}
      error={field.error}
      side={
        charsLeft !== undefined && (
          <span className={charsLeft < 0 ? 'dmp-over' : undefined}>
            {charsLeft < 0 ? `${-charsLeft} too many` : `${charsLeft} left`}
          </span>
        )
      }
    >
      <textarea
        id={field.id}
        name={name}
        className="dmp-input"
        rows={rows}
        aria-keyshortcuts="Control+Enter"
        value={text}
        // Empty, it has the direction of its page.
        dir={text ? 'auto' : undefined}
        disabled={disabled || field.isBusy}
        autoFocus={autoFocus}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.leave}
        {...field.described(help)}
      />
    </Frame>
  )
}
