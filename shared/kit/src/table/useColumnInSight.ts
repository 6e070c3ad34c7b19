import { useEffect, useRef, type RefObject } from 'react'

/** Shows or hides a column, and scrolls the table so that one which was added is in sight. */
export function useColumnInSight(
  box: RefObject<HTMLElement | null>,
): (title: string, toggle: (title: string) => void) => void {
  const chosen = useRef<string>(undefined)
  // The heading is there after the render that the choice brings about.
  useEffect(() => {
    if (chosen.current === undefined) return
    const headings = [...(box.current?.querySelectorAll('thead th') ?? [])]
    // A column that was hidden has no heading any more.
    const added = headings.find(({ textContent }) => textContent === chosen.current)
    added?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    chosen.current = undefined
  })
  return (title, toggle) => {
    chosen.current = title
    toggle(title)
  }
}
