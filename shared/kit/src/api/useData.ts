import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import type { CallError } from '../transport/CallError.ts'
import { refresh, refreshIfChanged } from '../transport/queryClient.ts'

const toQuery = <E extends Endpoint>(endpoint: E, input: Input<E>) => ({
  queryKey: [endpoint.name, input] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, input, { signal }),
})

/**
 * The answer of a call, simply there: the boundary around shows the wait and the error.
 *
 * @example const item = useData(complaint.get, { id })
 */
export function useData<E extends Endpoint>(endpoint: E, input: Input<E>): Answer<E> {
  return useSuspenseQuery<Answer<E>, CallError>(toQuery(endpoint, input)).data
}

export interface Lookup<E> {
  readonly data: Answer<E> | undefined
  readonly error: CallError | null
  /** No answer yet, and one is on its way. */
  readonly isPending: boolean
  /** An answer is on its way, perhaps a newer one. */
  readonly isFetching: boolean
  readonly refetch: () => void
}

export interface LookupOptions {
  /** False does not call. */
  readonly enabled?: boolean
  /** Shows the answer to the previous input until the new one is there, where that input is said to be of the same kind. */
  readonly keepPrevious?: (previous: object) => boolean
}

/**
 * The answer of a call that the screen can live without: no suspense, the error is yours to show.
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
    ...(keepPrevious
      ? {
          placeholderData: (data, before) =>
            keepPrevious((before?.queryKey[1] ?? {}) as object) ? keepPreviousData(data) : undefined,
        }
      : {}),
  })
  return {
    data: query.data,
    error: query.error,
    isPending: query.isLoading,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
  }
}

export interface Act<E> {
  /** Makes the call. Never throws: the error is in `error`, and the answer is undefined when it failed. */
  readonly act: (input: Input<E>) => Promise<Answer<E> | undefined>
  readonly busy: boolean
  readonly error: CallError | null
  readonly reset: () => void
}

/**
 * A call that changes something. Afterwards the named calls are asked again wherever they are shown.
 *
 * @example const { act: activate, busy, error } = useAct(organization.activate, { refreshes: [organization.get, organization.list], onDone: ({ name }) => notify.success(`${name} activated`) })
 */
export function useAct<E extends Endpoint>(
  endpoint: E,
  {
    refreshes = [],
    onDone,
  }: { refreshes?: readonly Endpoint[]; onDone?: (answer: Answer<E>, input: Input<E>) => void } = {},
): Act<E> {
  const mutation = useMutation<Answer<E>, CallError, Input<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: (answer, input) => {
      refresh(refreshes)
      onDone?.(answer, input)
    },
    onError: (error) => refreshIfChanged(error, refreshes),
  })
  return {
    act: (input) => mutation.mutateAsync(input).catch(() => undefined),
    busy: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  }
}
