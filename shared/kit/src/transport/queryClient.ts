import type { Endpoint } from '@dmp/contract/endpoint'
import { QueryClient } from '@tanstack/react-query'
import { CallError } from './CallError.ts'
import { isTemporary } from './failures.ts'

const freshMs = 5000
const cacheMs = 5 * 60_000

// The one retry policy (P28): a read is tried once more when the failure may pass, after what the server asked for or a second. Changes never.
const retryDelay = (_: number, error: Error): number =>
  Math.min((error instanceof CallError && error.retryAfter ? error.retryAfter : 1) * 1000, 10_000)

/** The one cache of server state. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always': offline is an error with words and not an endless wait.
    queries: {
      networkMode: 'always',
      staleTime: freshMs,
      gcTime: cacheMs,
      retry: (failures, error) => failures < 1 && isTemporary(error),
      retryDelay,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Asks the calls again where they are shown and forgets them elsewhere, so that nothing old flashes up later. */
export function refresh(endpoints: readonly Endpoint[]): void {
  for (const { name } of endpoints) {
    queryClient.removeQueries({ queryKey: [name], type: 'inactive' })
    void queryClient.invalidateQueries({ queryKey: [name] })
  }
}

/** Forgets the calls that failed, so that what stands on them asks again; a boundary's retry does it. */
export function forgetFailures(): void {
  queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
}

/** Somebody else changed it meanwhile: what is shown is asked again, so that the next save knows what it overwrites. */
export function refreshIfChanged(error: unknown, endpoints: readonly Endpoint[]): void {
  if (error instanceof CallError && error.code === 'CHANGED_MEANWHILE') refresh(endpoints)
}
