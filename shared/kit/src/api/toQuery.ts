import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import type { QueryKey } from '@tanstack/react-query'
import { toQueryKey } from '../transport/queryClient.ts'
import { call } from './call.ts'

/** A call as the query cache takes it. */
export interface Query<E extends Endpoint> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Answer<E>>
}

export function toQuery<E extends Endpoint>(endpoint: E, input: Input<E>): Query<E> {
  return {
    queryKey: toQueryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  }
}
