import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Handles Enter in a form that is not ready: the disabled button ignores it, so the form shows what is wrong and
 * focuses it. Where Enter begins a line, Ctrl+Enter sends.
 */
export function useEnterInForm(form: RefObject<HTMLFormElement | null>, show: () => void): void {
  const showWrong = useEffectEvent(show)
  useEffect(() => {
    const element = form.current
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !isMeantForForm(event)) return
      if (event.target instanceof HTMLTextAreaElement) {
        event.preventDefault()
        element?.requestSubmit()
      }
      showWrong()
      focusWrong(element)
    }
    element?.addEventListener('keydown', press)
    return () => element?.removeEventListener('keydown', press)
  }, [form])
}

function isMeantForForm({ target, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement) return (ctrlKey || metaKey) && !isComposing
  // In an open list of options, Enter chooses one.
  return target instanceof HTMLInputElement && target.ariaExpanded !== 'true'
}

/** Once the errors are drawn, focuses the first field that has one; its description then says it. */
export function focusWrong(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
