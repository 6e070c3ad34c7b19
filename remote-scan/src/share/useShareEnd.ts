import { useEffect, useState } from 'react'
import { scan } from '@dmp/contract'
import { CallError, call } from '@dmp/kit'

const [askAgainMs, askAgainAfterFailureMs] = [1000, 5000]

/**
 * Whether the link has ended. The request stays open until something about the link changes, so that a revoked one
 * disappears from an open page within a moment.
 */
export function useShareEnd(token: string): boolean {
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    void waitForEnd(token, leaving.signal).then((isOver) => {
      if (isOver && !leaving.signal.aborted) setHasEnded(true)
    })
    return () => leaving.abort()
  }, [token])
  return hasEnded
}

/** False where the page was left before. */
async function waitForEnd(token: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const began = Date.now()
    const failure = await call(scan.watchShared, { token }, { signal }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    // A server of an earlier version, which knows no such call, answers 404 with another code.
    if (failure instanceof CallError && failure.code === 'LINK_GONE') return true
    const pause = failure === undefined ? askAgainMs - (Date.now() - began) : askAgainAfterFailureMs
    if (pause > 0) await sleep(pause, signal)
  }
  return false
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
