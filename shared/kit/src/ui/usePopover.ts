import { useEffect, useRef, type RefObject } from 'react'

/** A `<details>` that a click elsewhere and Escape close. */
export function usePopover(): RefObject<HTMLDetailsElement | null> {
  const box = useRef<HTMLDetailsElement>(null)
  // The document is outside of React.
  useEffect(() => {
    const close = (event: MouseEvent) => {
      if (box.current?.open && event.target instanceof Node && !box.current.contains(event.target))
        box.current.open = false
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !box.current?.open) return
      event.stopPropagation()
      box.current.open = false
      box.current.querySelector('summary')?.focus()
    }
    document.addEventListener('click', close)
    document.addEventListener('keydown', escape, true)
    return () => {
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', escape, true)
    }
  }, [])
  return box
}
