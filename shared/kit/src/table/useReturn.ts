import { useLocation } from '@dmp/kit/router'
import { useEffect, useRef, type RefObject } from 'react'

interface Place {
  readonly rowKey: string
  readonly top: number
  readonly boxTop: number
}

// Where a row was opened, by history entry: Back finds page (from the URL), scroll and focused row again.
const places = new Map<string, Place>()
const kept = 50

/** Remembers where a row was opened, and goes back there when the list is returned to. */
export function useReturn(box: RefObject<HTMLElement | null>, hasRows: boolean): (rowKey: string) => void {
  const { key } = useLocation()
  const isBack = useRef(false)
  // Rows may come after the page; the place is gone to once, and only while nobody has started something else.
  useEffect(() => {
    const place = places.get(key)
    if (!hasRows || isBack.current || !place) return
    isBack.current = true
    const row = [...(box.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
      ({ dataset }) => dataset['key'] === place.rowKey,
    )
    box.current?.scrollTo?.({ top: place.boxTop })
    window.scrollTo(0, place.top)
    row?.querySelector<HTMLElement>('.dmp-row-link')?.focus({ preventScroll: true })
  }, [key, hasRows, box])
  return (rowKey) => {
    if (places.size >= kept) places.delete([...places.keys()][0] ?? '')
    places.set(key, { rowKey, top: window.scrollY, boxTop: box.current?.scrollTop ?? 0 })
  }
}
