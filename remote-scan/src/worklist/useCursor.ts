import { useState, type RefObject } from 'react'
import type { Study } from '@dmp/contract/scan'
import { groupByPatient } from './worklistState.ts'

/** The study that keys and preview are about, and those whose series are shown. */
export function useCursor(studies: readonly Study[], box: RefObject<HTMLElement | null>) {
  const [activeUID, setActive] = useState<string>()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [isPreviewing, setPreviewing] = useState(false)
  // As they stand in the list.
  const ordered = groupByPatient(studies).flat()
  const at = ordered.findIndex(({ studyUID }) => studyUID === activeUID)
  const active = ordered[at]

  function activate(studyUID: string, isFocused = false) {
    setActive(studyUID)
    if (!isFocused) return
    const row = [...(box.current?.querySelectorAll<HTMLElement>('[data-study]') ?? [])].find(
      ({ dataset }) => dataset['study'] === studyUID,
    )
    row?.querySelector<HTMLElement>('.worklist-link')?.focus()
    row?.scrollIntoView?.({ block: 'nearest' })
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
