import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { SharedStudy } from '@dmp/contract/scan'
import { useLookup, type CallError } from '@dmp/kit'

export interface Shareable {
  /** Undefined until they are known. */
  readonly studies: readonly SharedStudy[] | undefined
  readonly error: CallError | null
  readonly chosen: readonly [string, ...string[]]
  /** Adds the series, or leaves them out; one stays. */
  readonly choose: (seriesUIDs: readonly string[], isChosen: boolean) => void
}

/** The studies of some scans, and which of their series a link is to open. */
export function useShareable(organizationId: string, seriesUIDs: readonly [string, ...string[]]): Shareable {
  const { data: studies, error } = useLookup(scan.listShareable, { organizationId, seriesUIDs: [...seriesUIDs] })
  const [chosen, setChosen] = useState(seriesUIDs)
  const choose = (uids: readonly string[], isChosen: boolean) =>
    setChosen((previous) => {
      const others = previous.filter((uid) => !uids.includes(uid))
      const [first, ...rest] = isChosen ? [...others, ...uids] : others
      return first === undefined ? previous : [first, ...rest]
    })
  return { studies, error, chosen, choose }
}
