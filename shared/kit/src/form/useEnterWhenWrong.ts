import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Handles Enter in a form that is not ready: the disabled button ignores it, so the form shows what is wrong and
 * focuses it.
 */
export function useEnterWhenWrong(form: RefObject<HTMLFormElement | null>, show: () => void): void {
  const showWrong = useEffectEvent(show)
  useEffect(() => {
    const element = form.current
    const press = (event: KeyboardEvent) => {
      // In an open list of options, Enter chooses one.
      if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || event.target.ariaExpanded === 'true')
        return
      showWrong()
      focusWrong(element)
    }
    element?.addEventListener('keydown', press)
    return () => element?.removeEventListener('keydown', press)
  }, [form])
}

/** Once the errors are drawn, focuses the first field that has one; its description then says it. */
export function focusWrong(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
