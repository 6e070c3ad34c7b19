import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { CallError } from '../transport/CallError.ts'
import { toQuery } from './toQuery.ts'

/**
 * The answer of a call, simply there: the boundary around the component shows the wait and the error.
 *
 * @example const item = useData(complaint.get, { id })
 */
export function useData<E extends Endpoint>(endpoint: E, input: Input<E>): Answer<E> {
  const { data, error } = useSuspenseQuery<Answer<E>, CallError>(toQuery(endpoint, input))
  // What was deleted meanwhile must not go on standing there as it was, with all that one could do to it.
  if (error?.status === 404) throw error
  return data
}
