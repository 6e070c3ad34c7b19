import { useEffect, useRef, useState } from 'react'
import { scan } from '@dmp/contract'
import { CallError, call } from '@dmp/kit'

const [askAgainMs, askAgainAfterFailureMs] = [1000, 5000]

export interface ShareEnd {
  readonly hasEnded: boolean
  /** Says that this browser is opening the link: until that is answered it may seem used up to it. */
  readonly whileOpening: <T>(opening: Promise<T>) => Promise<T>
}

/**
 * Whether the link has ended. The request stays open until something about the link changes, so that a revoked one
 * disappears from an open page within a moment.
 */
export function useShareEnd(token: string): ShareEnd {
  const [hasEnded, setHasEnded] = useState(false)
  const opening = useRef<Promise<unknown>>(Promise.resolve())
  useEffect(() => {
    const leaving = new AbortController()
    void waitForEnd(token, leaving.signal, () => opening.current).then((isOver) => {
      if (isOver && !leaving.signal.aborted) setHasEnded(true)
    })
    return () => leaving.abort()
  }, [token])
  const whileOpening = <T>(work: Promise<T>): Promise<T> => {
    opening.current = work.catch(() => undefined)
    return work
  }
  return { hasEnded, whileOpening }
}

/** False where the page was left before. */
async function waitForEnd(token: string, signal: AbortSignal, opened: () => Promise<unknown>): Promise<boolean> {
  let seemsOver = false
  while (!signal.aborted) {
    const began = Date.now()
    const failure = await call(scan.watchShared, { token }, { signal }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    // A server of an earlier version, which knows no such call, answers 404 with another code.
    if (failure instanceof CallError && failure.code === 'LINK_GONE') {
      if (seemsOver) return true
      // The last opening may have been that of this browser, after this request began: the next one says whose it was.
      seemsOver = true
      await opened()
      continue
    }
    seemsOver = false
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
