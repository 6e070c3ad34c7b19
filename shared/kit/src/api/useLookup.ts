import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallError } from '../transport/CallError.ts'
import { toQuery } from './toQuery.ts'

export interface Lookup<E> {
  readonly data: Answer<E> | undefined
  readonly error: CallError | null
  /** The first answer is being loaded. */
  readonly isPending: boolean
  /** An answer is being loaded, perhaps a newer one. */
  readonly isFetching: boolean
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
  const { data, error, isLoading, isFetching, refetch } = useQuery<Answer<E>, CallError>({
    ...toQuery(endpoint, input),
    enabled,
    placeholderData: (previousAnswer, previousQuery) =>
      keepPrevious?.((previousQuery?.queryKey[1] ?? {}) as object) ? keepPreviousData(previousAnswer) : undefined,
  })
  return { data, error, isPending: isLoading, isFetching, refetch: () => void refetch() }
}
