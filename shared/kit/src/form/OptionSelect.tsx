import { Combobox, type ComboboxProps } from './Combobox.tsx'

/** With more options than this, the select gets a search of its own. */
const maxOptionsWithoutSearch = 15

export interface OptionSelectProps extends ComboboxProps {
  /** The options are being loaded. */
  readonly loading?: boolean
}

/** A select: the browser's own for a few options, a combobox with a search for many. */
export function OptionSelect({ loading = false, disabled = false, ...rest }: OptionSelectProps) {
  const isDisabled = disabled || loading
  if (rest.options.length > maxOptionsWithoutSearch) return <Combobox {...rest} disabled={isDisabled} />
  return <NativeSelect {...rest} disabled={isDisabled} placeholder={loading ? 'Loading…' : rest.placeholder} />
}

function NativeSelect({ options, value, placeholder, onChange, described, ...rest }: ComboboxProps) {
  const isKnown = options.some((option) => option.value === value)
  return (
    <select
      className="dmp-input"
      value={isKnown ? value : ''}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
      {...described}
    >
      {!isKnown && (
        <option value="" disabled>
          {placeholder}
        </option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
