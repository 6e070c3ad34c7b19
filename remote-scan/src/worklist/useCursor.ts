import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Study } from '@dmp/contract/scan'
import { onPersonChange } from '@dmp/kit'
import { groupByPatient } from './worklistState.ts'

interface Left {
  readonly activeUID?: string | undefined
  readonly opened: ReadonlySet<string>
  /** px that page and list were scrolled. */
  readonly top: number
  readonly boxTop: number
}

const untouched: Left = { opened: new Set(), top: 0, boxTop: 0 }

/** Where somebody was when they left for a study: whoever comes back, by whichever way, finds focus and place again. */
let left = untouched
onPersonChange(() => {
  left = untouched
})

const findBox = (worklist: HTMLElement | null) => worklist?.querySelector<HTMLElement>('.worklist-box')
const findLink = (worklist: HTMLElement | null, studyUID: string) =>
  [...(worklist?.querySelectorAll<HTMLElement>('[data-study]') ?? [])]
    .find(({ dataset }) => dataset['study'] === studyUID)
    ?.querySelector<HTMLElement>('.worklist-link')

/** The study that keys and preview are about, and those whose series are shown. */
export function useCursor(studies: readonly Study[], box: RefObject<HTMLElement | null>) {
  const [restored] = useState(left)
  const [activeUID, setActive] = useState(restored.activeUID)
  const [opened, setOpened] = useState(restored.opened)
  const [isPreviewing, setPreviewing] = useState(false)
  // As they stand in the list.
  const ordered = groupByPatient(studies).flat()
  const at = ordered.findIndex(({ studyUID }) => studyUID === activeUID)
  const active = ordered[at]

  const hasReturned = useRef(restored === untouched)
  // The rows may come after the page.
  useEffect(() => {
    if (hasReturned.current || studies.length === 0) return
    hasReturned.current = true
    const link = restored.activeUID && findLink(box.current, restored.activeUID)
    // Another organization's list, or the study is gone; or somebody types already.
    if (!link || document.activeElement?.matches('input')) return
    findBox(box.current)?.scrollTo?.({ top: restored.boxTop })
    window.scrollTo(0, restored.top)
    link.focus({ preventScroll: true })
  })
  // A layout effect ends while the list is still there to be measured.
  useLayoutEffect(() => {
    const worklist = box.current
    return () => {
      left = { activeUID, opened, top: window.scrollY, boxTop: findBox(worklist)?.scrollTop ?? 0 }
    }
  }, [activeUID, opened, box])

  function activate(studyUID: string, isFocused = false) {
    setActive(studyUID)
    if (!isFocused) return
    const link = findLink(box.current, studyUID)
    link?.focus()
    link?.closest('tr')?.scrollIntoView?.({ block: 'nearest' })
  }
  return {
    active,
    opened,
    isPreviewing: isPreviewing && active !== undefined,
    activate,
    setPreviewing,
    /** Moves to the next or previous study; the first one where none is active. */
    move: (by: 1 | -1): void => {
      const next = ordered[at < 0 ? 0 : Math.min(ordered.length - 1, Math.max(0, at + by))]
      if (next) activate(next.studyUID, true)
    },
    toggle: (studyUID: string, isOn?: boolean): void => {
      const next = new Set(opened)
      if (isOn ?? !next.has(studyUID)) next.add(studyUID)
      else next.delete(studyUID)
      setOpened(next)
    },
  }
}
export type Cursor = ReturnType<typeof useCursor>
