import { onPersonChange } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { BoundedMap } from '../BoundedMap.ts'
import { leftPath } from '../router/leftPath.ts'

interface ScrollPosition {
  readonly rowKey: string
  readonly top: number
  readonly boxTop: number
}

// By history entry: Back finds page (from the URL), scroll position and focused row again.
const positions = new BoundedMap<string, ScrollPosition>(50)
onPersonChange(() => positions.clear())

/**
 * Stores where a row was opened, and goes back there when the list is shown again: to the row of the history entry, or,
 * for whoever comes from the row's page by another way, to the row that leads there.
 */
export function useReturn(box: RefObject<HTMLElement | null>, hasRows: boolean): (rowKey: string) => void {
  const { key } = useLocation()
  // As it was when the list came: the list itself may write its address anew.
  const [position] = useState(() => positions.get(key))
  const from = useRef<string>(undefined)
  const isBack = useRef(false)
  // Rows may arrive after the page; the list scrolls once, so that it does not interrupt what the person does next.
  useEffect(() => {
    // The page before has said so by now, and not while this one was drawn for the first time.
    from.current ??= leftPath()
    if (!hasRows || isBack.current) return
    isBack.current = true
    // Somebody types already.
    if (document.activeElement?.matches('input')) return
    const links = [...(box.current?.querySelectorAll<HTMLElement>('.dmp-row-link') ?? [])]
    if (position) {
      box.current?.scrollTo?.({ top: position.boxTop })
      window.scrollTo(0, position.top)
      links.find((link) => keyOf(link) === position.rowKey)?.focus({ preventScroll: true })
      return
    }
    const link = links.find((each) => each.getAttribute('href')?.split('?')[0] === from.current)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView?.({ block: 'nearest' })
  }, [position, hasRows, box])
  return (rowKey) => {
    positions.set(key, { rowKey, top: window.scrollY, boxTop: box.current?.scrollTop ?? 0 })
  }
}

const keyOf = (link: HTMLElement): string | undefined => link.closest<HTMLElement>('[data-key]')?.dataset['key']
