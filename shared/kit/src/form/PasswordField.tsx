import { CheckOutlined, CloseOutlined, EyeInvisibleOutlined, EyeOutlined } from '@dmp/kit/ui'
import { passwordRules } from '@dmp/contract/fields'
import { useState } from 'react'
import { Frame, type FieldProps } from './Field.tsx'
import { useField } from './formContext.ts'

export interface PasswordFieldProps extends FieldProps {
  readonly autoComplete: 'current-password' | 'new-password'
  /** Shows how strong the new password is and which rules of 5.01 are still unmet. */
  readonly meter?: boolean
}

/** A password, hidden until it is revealed. Never part of a draft. */
export function PasswordField({
  name,
  label,
  help,
  disabled,
  autoFocus,
  autoComplete,
  meter = false,
}: PasswordFieldProps) {
  const field = useField<string>(name, { label, isSecret: true })
  const [isShown, setIsShown] = useState(false)
  const [hasCapsLock, setHasCapsLock] = useState(false)
  const value = field.value ?? ''
  const note = hasCapsLock ? 'Caps Lock is on.' : help
  return (
    <Frame id={field.id} label={label} help={note} error={field.error}>
      <span className="dmp-password">
        <input
          id={field.id}
          name={name}
          className="dmp-input"
          type={isShown ? 'text' : 'password'}
          value={value}
          disabled={disabled || field.isBusy}
          autoFocus={autoFocus}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => field.change(event.target.value)}
          onKeyUp={(event) => setHasCapsLock(event.getModifierState('CapsLock'))}
          onBlur={field.leave}
          {...field.described(note)}
        />
        <button
          type="button"
          className="dmp-password-eye"
          aria-pressed={isShown}
          aria-label="Show password"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
        </button>
      </span>
      {meter && value !== '' && <Meter password={value} />}
    </Frame>
  )
}

const strengthLabels: Readonly<Record<number, string>> = { 0: 'Weak', 1: 'Weak', 2: 'Fair', 3: 'Good', 4: 'Strong' }

/** Strength from 0 to 4: all rules met is 2; length and variety beyond them count up. */
export function measureStrength(password: string): number {
  const met = passwordRules.filter((rule) => rule.test(password)).length
  if (met < passwordRules.length) return met < passwordRules.length - 2 ? 0 : 1
  const variety = new Set(password).size
  return 2 + (password.length >= 16 ? 1 : 0) + (variety >= 12 ? 1 : 0)
}

function Meter({ password }: { password: string }) {
  const strength = measureStrength(password)
  return (
    <div className="dmp-meter">
      <div
        className="dmp-meter-line"
        data-strength={strength}
        role="meter"
        aria-label="Password strength"
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={strength}
        aria-valuetext={strengthLabels[strength]}
      >
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={step <= Math.max(1, strength)} />
        ))}
        <b>{strengthLabels[strength]}</b>
      </div>
      <ul>
        {passwordRules.map((rule) => {
          const isMet = rule.test(password)
          return (
            <li key={rule.label} data-met={isMet}>
              {isMet ? <CheckOutlined aria-label="done:" /> : <CloseOutlined aria-label="missing:" />} {rule.label}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
