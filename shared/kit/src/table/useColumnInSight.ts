import { useEffect, useState, type RefObject } from 'react'

/** Shows or hides a column, and scrolls the table so that one which was added is in sight. */
export function useColumnInSight(
  box: RefObject<HTMLElement | null>,
): (title: string, toggle: (title: string) => void) => void {
  const [chosen, setChosen] = useState<string>()
  useEffect(() => {
    if (chosen === undefined) return
    const headings = [...(box.current?.querySelectorAll('thead th') ?? [])]
    // A column that was hidden has no heading any more.
    headings.find(({ textContent }) => textContent === chosen)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    setChosen(undefined)
  }, [box, chosen])
  return (title, toggle) => {
    toggle(title)
    setChosen(title)
  }
}
