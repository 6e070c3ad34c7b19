import { act, waitFor } from '@testing-library/react'
import { queryClient } from '../transport/queryClient.ts'
import { ownValues } from './ownValues.ts'

export interface Changing<T> {
  /** The item as the server has it, for the table of answers. */
  readonly now: () => T
  /** Tries what the screen shows of it, and once more after somebody else has changed every field. */
  readonly look: (expectAll: (item: T) => void) => Promise<void>
}

/**
 * An item in which each field has a value of its own, now and after a change, so that nothing may stand on the screen
 * from before. `keep` names what stays: ids in the address, and what is one of a few.
 *
 * @example
 * const stored = changing(aComplaint(), { keep: ['id'] })
 * renderScreen(ui, { at, as, answers: [answer(complaint.get, stored.now)] })
 * await stored.look((item) => expectFacts('Basic Details', item, fields))
 */
export function changing<T>(example: T, { keep = [] }: { keep?: readonly string[] } = {}): Changing<T> {
  let stored = ownValues(example, { keep })
  return {
    now: () => stored,
    look: async (expectAll) => {
      expectAll(stored)
      stored = ownValues(example, { keep, from: 2 })
      await act(() => queryClient.invalidateQueries())
      await waitFor(() => expectAll(stored))
    },
  }
}
