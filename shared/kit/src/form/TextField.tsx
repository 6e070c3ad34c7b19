import type { ClipboardEvent, ReactNode } from 'react'
import { notify } from '@dmp/kit/ui'
import { Frame, type FieldProps } from './Field.tsx'
import { useField } from './formContext.ts'

export interface TextFieldProps extends FieldProps {
  readonly autoComplete?: string
  /** Most characters the control takes. */
  readonly max?: number
  readonly inputMode?: 'numeric' | 'text' | 'email' | 'tel'
  readonly type?: 'text' | 'email' | 'tel'
  readonly placeholder?: string
  /** Offered while one types; anything else can be typed as well. */
  readonly suggestions?: readonly string[]
  /** Beside the label. */
  readonly side?: ReactNode
}

/** One line of text. */
export function TextField({
  name,
  label,
  help,
  disabled,
  autoFocus,
  autoComplete = 'off',
  max,
  inputMode,
  type = 'text',
  placeholder,
  suggestions = [],
  side,
}: TextFieldProps) {
  const field = useField<string>(name, { label })
  const isCode = inputMode === 'numeric'
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const text = event.clipboardData.getData('text')
    const [before, after] = [value.slice(0, selectionStart ?? 0), value.slice(selectionEnd ?? 0)]
    const pasted = before + (isCode ? withoutBlanks(text) : text) + after
    // The browser cuts what is too long, and says nothing.
    if (max !== undefined && pasted.trim().length > max) notify.warning(`Only ${max} characters fit into “${label}”.`)
    // It would count blanks of a code, too.
    if (!isCode) return
    event.preventDefault()
    field.change(pasted.slice(0, max))
  }
  return (
    <Frame id={field.id} label={label} help={help} error={field.error} side={side}>
      <input
        id={field.id}
        name={name}
        className="dmp-input"
        type={type}
        value={field.value ?? ''}
        // Empty, it has the direction of its page.
        dir={field.value ? 'auto' : undefined}
        disabled={disabled || field.isBusy}
        autoFocus={autoFocus}
        autoComplete={autoComplete}
        maxLength={max}
        inputMode={inputMode}
        placeholder={placeholder}
        spellCheck={false}
        list={suggestions.length > 0 ? `${field.id}list` : undefined}
        onChange={(event) => field.change(isCode ? withoutBlanks(event.target.value) : event.target.value)}
        onPaste={paste}
        onBlur={field.leave}
        {...field.described(help)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${field.id}list`}>
          {suggestions.map((text) => (
            <option key={text}>{text}</option>
          ))}
        </datalist>
      )}
    </Frame>
  )
}

/** A code out of a mail brings blanks along, and may be in groups. */
const withoutBlanks = (text: string): string => text.replace(/\s/g, '')

/** 5.04: an email of at most 255 characters. */
export function EmailField({
  autoComplete = 'email',
  ...rest
}: FieldProps & { autoComplete?: string; side?: ReactNode }) {
  return <TextField type="email" inputMode="email" autoComplete={autoComplete} {...rest} />
}

/** 5.05: digits, plus, hyphen and space. */
export function PhoneField(props: FieldProps) {
  return <TextField type="tel" inputMode="tel" autoComplete="off" {...props} />
}
