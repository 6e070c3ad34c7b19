import { onPersonChange } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'
import { useEffect, useRef, type RefObject } from 'react'
import { BoundedMap } from '../BoundedMap.ts'

interface ScrollPosition {
  readonly rowKey: string
  readonly top: number
  readonly boxTop: number
}

// By history entry: Back finds page (from the URL), scroll position and focused row again.
const positions = new BoundedMap<string, ScrollPosition>(50)
onPersonChange(() => positions.clear())

/** Stores where a row was opened, and scrolls back there when the list is shown again. */
export function useReturn(box: RefObject<HTMLElement | null>, hasRows: boolean): (rowKey: string) => void {
  const { key } = useLocation()
  const isBack = useRef(false)
  // Rows may arrive after the page; the list scrolls once, so that it does not interrupt what the person does next.
  useEffect(() => {
    const position = positions.get(key)
    if (!hasRows || isBack.current || !position) return
    isBack.current = true
    const row = [...(box.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
      ({ dataset }) => dataset['key'] === position.rowKey,
    )
    box.current?.scrollTo?.({ top: position.boxTop })
    window.scrollTo(0, position.top)
    row?.querySelector<HTMLElement>('.dmp-row-link')?.focus({ preventScroll: true })
  }, [key, hasRows, box])
  return (rowKey) => {
    positions.set(key, { rowKey, top: window.scrollY, boxTop: box.current?.scrollTop ?? 0 })
  }
}
