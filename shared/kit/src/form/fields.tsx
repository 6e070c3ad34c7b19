import { civilities } from '@dmp/contract/fields'
import { useEffect, type ReactNode } from 'react'
import { Combobox, searchFrom } from './Combobox.tsx'
import { Frame, FieldNotes, type FieldProps } from './Field.tsx'
import { useField, useForm } from './formContext.ts'

export interface Option<T extends string = string> {
  readonly value: T
  readonly label: string
}

export interface TextFieldProps extends FieldProps {
  readonly autoComplete?: string
  /** Most characters the control takes. */
  readonly max?: number
  readonly inputMode?: 'numeric' | 'text' | 'email' | 'tel'
  readonly type?: 'text' | 'email' | 'tel'
  readonly placeholder?: string
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
  side,
}: TextFieldProps) {
  const field = useField<string>(name, { label })
  return (
    <Frame id={field.id} label={label} help={help} error={field.error} side={side}>
      <input
        id={field.id}
        name={name}
        className="dmp-input"
        type={type}
        value={field.value ?? ''}
        disabled={disabled || field.isBusy}
        autoFocus={autoFocus}
        autoComplete={autoComplete}
        maxLength={max}
        inputMode={inputMode}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.leave}
        {...field.described(help)}
      />
    </Frame>
  )
}

/** 5.04 */
export function EmailField({
  autoComplete = 'email',
  ...rest
}: FieldProps & { autoComplete?: string; side?: ReactNode }) {
  return <TextField type="email" inputMode="email" autoComplete={autoComplete} {...rest} />
}

/** 5.05 */
export function PhoneField(props: FieldProps) {
  return <TextField type="tel" inputMode="tel" autoComplete="off" {...props} />
}

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly Option[]
  readonly placeholder?: string
  /** The options are on their way. */
  readonly loading?: boolean
}

/** A choice of one; preselected when exactly one is offered (5.08). Many options get a search. */
export function SelectField({
  name,
  label,
  help,
  disabled,
  autoFocus,
  options,
  placeholder = 'Please choose',
  loading = false,
}: SelectFieldProps) {
  const field = useField<string>(name, { label })
  const only = options.length === 1 ? options[0]?.value : undefined
  const { value } = field
  const { preset } = useForm()
  const isEmpty = value === '' || value === undefined || value === null
  // Options may come after the form.
  useEffect(() => {
    if (only !== undefined && isEmpty) preset(name, only)
  }, [only, isEmpty, preset, name])
  if (options.length > searchFrom) {
    return (
      <Frame id={field.id} label={label} help={help} error={field.error}>
        <Combobox
          id={field.id}
          name={name}
          options={options}
          value={value}
          placeholder={placeholder}
          disabled={Boolean(disabled) || field.isBusy || loading}
          autoFocus={autoFocus}
          onChange={field.change}
          onBlur={field.leave}
          described={field.described(help)}
        />
      </Frame>
    )
  }
  return (
    <Frame id={field.id} label={label} help={help} error={field.error}>
      <select
        id={field.id}
        name={name}
        className="dmp-input"
        value={value ?? ''}
        disabled={disabled || field.isBusy || loading}
        autoFocus={autoFocus}
        onChange={(event) => field.change(event.target.value)}
        onBlur={field.leave}
        {...field.described(help)}
      >
        {(isEmpty || !options.some((option) => option.value === value)) && (
          <option value="" disabled>
            {loading ? 'Loading…' : placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

const civilityOptions: readonly Option[] = civilities.map((civility) => ({ value: civility, label: civility }))

/** The civility select of 5.07: Mr, Mrs, Ms, Dr, Prof; the first one where the form has no other default. */
export function TitleField({ name = 'civility', label = 'Title', ...rest }: Partial<FieldProps>) {
  const { valueOf, preset } = useForm()
  const isEmpty = valueOf(name) === ''
  // 5.07: the add and registration forms default to the first.
  useEffect(() => {
    if (isEmpty) preset(name, civilities[0])
  }, [isEmpty, name, preset])
  return <SelectField name={name} label={label} options={civilityOptions} {...rest} />
}

export interface CheckboxFieldProps extends Omit<FieldProps, 'label'> {
  readonly label: ReactNode
  /** What the line beside Submit calls it, where the label is more than a text. */
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

export interface SliderFieldProps extends FieldProps {
  readonly min: number
  readonly max: number
  /** The value in words: (3) => '3 days'. */
  readonly words?: (value: number) => string
}

/** A whole number on a slider (5.13). */
export function SliderField({ name, label, help, disabled, min, max, words = String }: SliderFieldProps) {
  const field = useField<number>(name, { label })
  const value = typeof field.value === 'number' ? field.value : min
  return (
    <Frame
      id={field.id}
      label={label}
      help={help}
      error={field.error}
      side={<output htmlFor={field.id}>{words(value)}</output>}
    >
      <input
        id={field.id}
        name={name}
        className="dmp-slider"
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        disabled={disabled || field.isBusy}
        aria-valuetext={words(value)}
        onChange={(event) => field.change(Number(event.target.value))}
        onBlur={field.leave}
        {...field.described(help)}
      />
    </Frame>
  )
}
