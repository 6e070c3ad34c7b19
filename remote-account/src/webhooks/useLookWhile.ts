import type { Endpoint } from '@dmp/contract'
import { refresh } from '@dmp/kit'
import { useEvery } from '@dmp/kit/table'

const everyMs = 5000

/**
 * While a message is tried, its receiver may answer at any moment: asks again by itself, also when somebody comes back
 * to the page.
 */
export function useLookWhile(isTried: boolean, endpoints: readonly Endpoint[]): void {
  useEvery(isTried ? everyMs : undefined, () => void refresh(endpoints))
}
