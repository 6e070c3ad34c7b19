import type { useFormState } from './useFormState.ts'

/** Says why Submit is disabled, in the fields' own names (5.18). */
export function formatReason({
  wrong,
  known: fields,
  state: { values },
  isValid,
}: ReturnType<typeof useFormState>): string {
  if (isValid) return 'Nothing has changed yet.'
  // In the order of the screen, which is that in which fields register.
  const names = [...new Set([...fields.keys(), ...Object.keys(wrong)])].filter((name) => name in wrong)
  const otherLabel = 'something that this form does not show'
  const labels = (test: (name: string) => boolean) => [
    ...new Set(names.filter(test).map((name) => fields.get(name)?.label ?? otherLabel)),
  ]
  const isEmpty = (name: string) => values[name] === '' || values[name] === false
  const checking = labels((name) => wrong[name] === 'pending')
  const missingLabels = labels((name) => wrong[name] !== 'pending' && isEmpty(name))
  const bad = labels((name) => wrong[name] !== 'pending' && !isEmpty(name))
  return [
    missingLabels.length > 0 && `Still needed: ${missingLabels.join(', ')}.`,
    bad.length > 0 && `Please correct: ${bad.join(', ')}.`,
    checking.length > 0 && `Checking: ${checking.join(', ')}…`,
  ]
    .filter(Boolean)
    .join(' ')
}
