import { areKeysOn, writeKeys } from '@dmp/kit'
import { Section } from '@dmp/kit/screen'
import { Checkbox } from '@dmp/kit/ui'
import { useState } from 'react'

/** Single keys can be turned off (WCAG 2.1.4), for lists and viewer alike. */
export function KeyboardSection() {
  const [isOn, setOn] = useState(areKeysOn)
  const change = (next: boolean) => {
    writeKeys(next)
    setOn(next)
  }
  return (
    <Section title="Keyboard">
      <p className="profile-note">
        Outside text fields, single keys work as shortcuts: J and K move through a list, / searches it, ? shows all of
        them. Turn them off if you dictate or press keys by accident. This browser remembers your choice.
      </p>
      <Checkbox checked={isOn} onChange={(event) => change(event.target.checked)}>
        Single-key shortcuts
      </Checkbox>
    </Section>
  )
}
