import './form.css'

export interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A search over rows that are already loaded. `label` is its accessible name. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <input
      type="search"
      className="dmp-input dmp-search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
