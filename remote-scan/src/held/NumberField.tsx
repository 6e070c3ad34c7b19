import { useId, useState } from 'react'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChange: (value: number) => void
}

/** A whole number; what is not one yet stays in the field until it is left. */
export function NumberField({ label, value, min, max, onChange }: NumberFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  return (
    <div className="held-number">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="dmp-input"
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          if (/^\d+$/.test(target.value)) onChange(Math.min(Math.max(Number(target.value), min), max))
        }}
        onBlur={() => setTyped(undefined)}
      />
    </div>
  )
}
