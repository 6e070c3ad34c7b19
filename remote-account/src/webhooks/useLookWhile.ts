import { useEffect } from 'react'
import type { Endpoint } from '@dmp/contract'
import { refresh } from '@dmp/kit'

const everyMs = 5000

/** While a message is tried, its receiver may answer at any moment: asks again by itself. Pass a constant list. */
export function useLookWhile(isTried: boolean, endpoints: readonly Endpoint[]): void {
  useEffect(() => {
    if (!isTried) return undefined
    const timer = setInterval(() => refresh(endpoints), everyMs)
    return () => clearInterval(timer)
  }, [isTried, endpoints])
}
