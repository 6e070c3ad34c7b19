import { useEffect, useEffectEvent, useState } from 'react'
import type { FormValues } from './formSchema.ts'
import type { useFormState } from './useFormState.ts'

/** Remembers an Enter that came before the answer to a check, and sends what was typed then once it may be sent. */
export function useSendWhenChecked(form: ReturnType<typeof useFormState>, isReady: boolean, send: () => void) {
  const { isChecking, state } = form
  const [awaited, setAwaited] = useState<FormValues>()
  const go = useEffectEvent(send)
  const isAwaited = awaited === state.values
  useEffect(() => {
    if (isAwaited && isReady) go()
  }, [isAwaited, isReady])
  return () => setAwaited(isChecking ? state.values : undefined)
}
