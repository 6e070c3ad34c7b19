import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallError } from '../transport/CallError.ts'
import { toQuery } from './toQuery.ts'

export interface Lookup<E> {
  readonly data: Answer<E> | undefined
  readonly error: CallError | null
  /** The first answer is being loaded. */
  readonly isPending: boolean
  /** An answer is being loaded, perhaps a newer one. */
  readonly isFetching: boolean
  /** The line is lost: what is shown is the answer to the input before. */
  readonly isEarlier: boolean
  readonly refetch: () => void
}

export interface LookupOptions {
  /** False makes no call. */
  readonly enabled?: boolean
  /** Decides by the previous input whether its answer is shown until the new one has arrived. */
  readonly keepPrevious?: (previousInput: object) => boolean
}

/**
 * The answer of a call that the screen can do without: no suspense, and the screen shows the error.
 *
 * @example const { data, error } = useLookup(organization.datastoreExists, { id }, { enabled: mayCreate })
 */
export function useLookup<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { enabled = true, keepPrevious }: LookupOptions = {},
): Lookup<E> {
  const query = useQuery<Answer<E>, CallError>({
    ...toQuery(endpoint, input),
    enabled,
    placeholderData: (previousAnswer, previousQuery) =>
      keepPrevious?.((previousQuery?.queryKey[1] ?? {}) as object) ? keepPreviousData(previousAnswer) : undefined,
  })
  const { data, error, isLoading, isFetching, isPlaceholderData, refetch } = query
  const [last, setLast] = useState<{ readonly input: object; readonly data: Answer<E> }>()
  const isNew = keepPrevious !== undefined && data !== undefined && !isPlaceholderData && last?.data !== data
  if (isNew) setLast({ input: input as object, data })
  const isLost = data === undefined && error?.status === 0
  const earlier = isLost && last !== undefined && keepPrevious?.(last.input) ? last.data : undefined
  return {
    data: earlier ?? data,
    error,
    isPending: isLoading,
    isFetching,
    isEarlier: earlier !== undefined,
    refetch: () => void refetch(),
  }
}
