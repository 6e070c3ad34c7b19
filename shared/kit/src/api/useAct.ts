import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { hashKey, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { CallError } from '../transport/CallError.ts'
import { refreshIfChanged, updateCache } from '../transport/queryClient.ts'
import { call } from './call.ts'

export interface Act<E> {
  /** Makes the call. Never throws: on failure it resolves to undefined and `error` holds the reason. */
  readonly act: (input: Input<E>) => Promise<Answer<E> | undefined>
  readonly busy: boolean
  readonly error: CallError | null
  readonly reset: () => void
}

export interface ActOptions<E> {
  /** Calls whose answers the change makes old. The one that the change `renews` is not among them. */
  readonly refreshes?: readonly Endpoint[]
  readonly onDone?: (answer: Answer<E>, input: Input<E>) => void
}

/**
 * A call that changes something. Its answer goes into the cache where the contract says what it `renews`.
 *
 * @example const { act: activate, busy, error } = useAct(organization.activate, { refreshes: [organization.list] })
 */
export function useAct<E extends Endpoint>(endpoint: E, { refreshes = [], onDone }: ActOptions<E> = {}): Act<E> {
  const mutation = useMutation<Answer<E>, CallError, Input<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: (answer, input) => {
      updateCache(endpoint, { input, answer, refreshes })
      onDone?.(answer, input)
    },
    onError: (error) => refreshIfChanged(error, endpoint, refreshes),
  })
  const running = useRef(new Map<string, Promise<Answer<E> | undefined>>())
  return {
    act(input) {
      // The second click of a double click comes before the button is drawn as busy: it asks for nothing more.
      const key = hashKey([input])
      const first = running.current.get(key)
      if (first) return first
      const answer = mutation
        .mutateAsync(input)
        .catch(() => undefined)
        .finally(() => running.current.delete(key))
      running.current.set(key, answer)
      return answer
    },
    busy: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  }
}
