import { useId } from 'react'
import { Combobox, searchFrom } from './Combobox.tsx'
import type { Option } from './fields.tsx'
import './form.css'

export interface ChoiceProps<T extends string> {
  /** Stands beside the select and is its accessible name. */
  readonly label: string
  readonly options: readonly Option<T>[]
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  readonly placeholder?: string
  readonly loading?: boolean
  readonly disabled?: boolean
  /** px; default 220. */
  readonly width?: number
}

/**
 * A labelled select outside of a form, such as the organization above a list. Many options get a search.
 *
 * @example <Choice label="Organization" options={organizations} value={organizationId} onChange={choose} />
 */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
  placeholder = 'Please choose',
  loading = false,
  disabled = false,
  width = 220,
}: ChoiceProps<T>) {
  const id = useId()
  const isKnown = options.some((option) => option.value === value)
  return (
    <span className="dmp-choice">
      <label htmlFor={id}>{label}</label>
      {options.length > searchFrom ? (
        <Combobox
          id={id}
          options={options}
          value={value}
          placeholder={placeholder}
          disabled={disabled || loading}
          style={{ width }}
          onChange={(chosen) => onChange(chosen as T)}
        />
      ) : (
        <select
          id={id}
          className="dmp-input"
          style={{ width }}
          value={isKnown ? value : ''}
          disabled={disabled || loading}
          onChange={(event) => onChange(event.target.value as T)}
        >
          {!isKnown && (
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
      )}
    </span>
  )
}
