import { useRef, useState } from 'react'
import { scan } from '@dmp/contract'
import type { HeldScanDetail } from '@dmp/contract/scan'
import { call, CallError } from '@dmp/kit'
import type { Choice } from './masks.ts'

export interface HeldChoice {
  readonly choice: Choice
  /** Shown at once; kept by the server with `save`. */
  readonly show: (choice: Choice) => void
  /** Keeps it, so that it is there when the page was closed, and for a colleague. */
  readonly save: (choice: Choice) => void
  readonly isSaving: boolean
  readonly error: CallError | null
}

/** The choice of a held scan: every change is kept by the server, one call at a time, the newest last. */
export function useHeldChoice({ id, masks, leftOut }: HeldScanDetail): HeldChoice {
  const [choice, show] = useState<Choice>({ masks, leftOut })
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<CallError | null>(null)
  const newest = useRef<Choice>(undefined)
  const isUnderWay = useRef(false)

  async function send(): Promise<void> {
    isUnderWay.current = true
    setSaving(true)
    while (newest.current) {
      const sent = newest.current
      newest.current = undefined
      const problem = await call(scan.saveHeldChoice, { id, ...sent }).then(
        () => null,
        (cause: unknown) => cause,
      )
      setError(problem instanceof CallError ? problem : null)
    }
    isUnderWay.current = false
    setSaving(false)
  }

  function save(changed: Choice): void {
    show(changed)
    newest.current = changed
    if (!isUnderWay.current) void send()
  }
  return { choice, show, save, isSaving, error }
}
