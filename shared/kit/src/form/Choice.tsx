import { useId } from 'react'
import type { Option } from './Option.ts'
import { OptionSelect } from './OptionSelect.tsx'
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
  placeholder = 'Please choose',
  width = 220,
  onChange,
  ...rest
}: ChoiceProps<T>) {
  const id = useId()
  return (
    <span className="dmp-choice">
      <label htmlFor={id}>{label}</label>
      <OptionSelect
        {...rest}
        id={id}
        placeholder={placeholder}
        style={{ width }}
        onChange={(value) => onChange(value as T)}
      />
    </span>
  )
}
