import { useEffect, useRef, useState } from 'react'
import { scan, type Input } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { call } from '@dmp/kit'

/** Calls back when somebody comes back to the page: its tab, or its window. */
export function useReturnToPage(onReturn: () => void): void {
  const run = useRef(onReturn)
  useEffect(() => {
    run.current = onReturn
  })
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && run.current()
    document.addEventListener('visibilitychange', back)
    addEventListener('focus', back)
    return () => {
      document.removeEventListener('visibilitychange', back)
      removeEventListener('focus', back)
    }
  }, [])
}

/**
 * The studies without the marks of those that were opened meanwhile, in the viewer or in another tab. Asked for when
 * somebody comes back; nothing else of the answer is taken, so that no row moves under the pointer.
 */
export function useReadMarks(studies: readonly Study[], input: Input<typeof scan.listStudies>): readonly Study[] {
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const [seen, setSeen] = useState(studies)
  // A list that was read again knows it itself; what arrives for an opened study makes it new once more.
  if (seen !== studies) {
    setSeen(studies)
    setRead(new Set())
  }
  const isAsking = useRef(false)
  useReturnToPage(() => {
    if (isAsking.current || !studies.some(({ isNew }) => isNew)) return
    isAsking.current = true
    call(scan.listStudies, input)
      .then(({ rows }) => setRead(new Set(rows.flatMap((row) => (row.isNew ? [] : row.studyUID)))))
      // The marks stay as they were.
      .catch(() => undefined)
      .finally(() => {
        isAsking.current = false
      })
  })
  return read.size === 0
    ? studies
    : studies.map((study) => (read.has(study.studyUID) ? { ...study, isNew: false } : study))
}
