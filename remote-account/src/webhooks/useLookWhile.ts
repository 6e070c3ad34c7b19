import { useEffect } from 'react'
import type { Endpoint } from '@dmp/contract'
import { refresh } from '@dmp/kit'

const everyMs = 5000

/**
 * While a message is tried, its receiver may answer at any moment: asks again by itself, also when somebody comes back
 * to the page. Pass a constant list.
 */
export function useLookWhile(isTried: boolean, endpoints: readonly Endpoint[]): void {
  useEffect(() => {
    if (!isTried) return undefined
    const look = () => document.visibilityState === 'visible' && refresh(endpoints)
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isTried, endpoints])
}
