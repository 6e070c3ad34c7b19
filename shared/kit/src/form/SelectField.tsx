import { useEffect } from 'react'
import { Frame, type FieldProps } from './Field.tsx'
import { useField, useForm } from './formContext.ts'
import type { Option } from './Option.ts'
import { OptionSelect } from './OptionSelect.tsx'

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly Option[]
  readonly placeholder?: string
  /** The options are being loaded. */
  readonly loading?: boolean
}

/** A choice of one; preselected when exactly one is offered (5.08). Many options get a search. */
export function SelectField({
  name,
  label,
  help,
  disabled = false,
  autoFocus,
  options,
  placeholder = 'Please choose',
  loading = false,
}: SelectFieldProps) {
  const field = useField<string>(name, { label })
  usePreset(name, field.value, options)
  return (
    <Frame id={field.id} label={label} help={help} error={field.error}>
      <OptionSelect
        id={field.id}
        name={name}
        options={options}
        value={field.value}
        placeholder={placeholder}
        loading={loading}
        disabled={disabled || field.isBusy}
        autoFocus={autoFocus}
        onChange={field.change}
        onBlur={field.leave}
        described={field.described(help)}
      />
    </Frame>
  )
}

function usePreset(name: string, value: string | null | undefined, options: readonly Option[]): void {
  const { preset } = useForm()
  const only = options.length === 1 ? options[0]?.value : undefined
  const isEmpty = !value
  // Options may arrive after the form was drawn.
  useEffect(() => {
    if (only !== undefined && isEmpty) preset(name, only)
  }, [only, isEmpty, preset, name])
}
