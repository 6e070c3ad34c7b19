import { TaskTray } from '@dmp/kit/ui'
import { useEffect, useState, type ComponentType } from 'react'

/** Lets the requested page and its calls finish first. */
const firstPageMs = 1500
const retryMs = 30_000

/** The tasks of this person: those of the page, and a little after it those of the server. */
export function WorkSlot() {
  const [Work, setWork] = useState<ComponentType>()
  // Loading is outside React, and no page waits for it.
  useEffect(() => {
    if (Work) return
    let timer = setTimeout(load, firstPageMs)
    let isGone = false
    function load(): void {
      import('./Work.tsx').then(
        (loaded) => isGone || setWork(() => loaded.Work),
        () => {
          if (!isGone) timer = setTimeout(load, retryMs)
        },
      )
    }
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [Work])
  return (
    <>
      <TaskTray />
      {Work && <Work />}
    </>
  )
}
