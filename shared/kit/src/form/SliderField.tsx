import { Frame, type FieldProps } from './Field.tsx'
import { useField } from './formContext.ts'

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
