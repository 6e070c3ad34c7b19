import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { QueryClient, hashKey, type Query, type QueryKey } from '@tanstack/react-query'
import { CallError } from './CallError.ts'
import { isTemporary } from './failures.ts'

const freshMs = 5000
const cacheMs = 5 * 60_000
const retryDelayMs = 1000
const maxRetryDelayMs = 10_000

// The only retry policy (P28): a read is tried once more after a temporary failure, a change never.
const getRetryDelay = (_: number, error: Error): number =>
  error instanceof CallError && error.retryAfter ? Math.min(error.retryAfter * 1000, maxRetryDelayMs) : retryDelayMs

/** The one cache of server state. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always': offline is an error with a sentence, not an endless wait.
    queries: {
      networkMode: 'always',
      staleTime: freshMs,
      // With 'always' above it is off by default, and lists would stay offline when the line is back.
      refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : true),
      gcTime: cacheMs,
      retry: (failures, error) => failures < 1 && isTemporary(error),
      retryDelay: getRetryDelay,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Whether an answer is waited for that a screen needs. */
export const isAsking = (): boolean => queryClient.isFetching() > 0

/** The cache key of a call. */
export function toQueryKey<E extends Endpoint>({ name }: E, input: Input<E>): readonly [string, Input<E>] {
  return [name, input]
}

/**
 * Calls the endpoints again where their answers are shown, and forgets them elsewhere so that no old answer flashes
 * up later.
 */
export function refresh(endpoints: readonly Endpoint[]): void {
  for (const { name } of endpoints) refreshExcept(name)
}

function refreshExcept(name: string, currentKey?: QueryKey): void {
  const currentHash = currentKey && hashKey(currentKey)
  const filters = { queryKey: [name], predicate: ({ queryHash }: { queryHash: string }) => queryHash !== currentHash }
  queryClient.removeQueries({ ...filters, type: 'inactive' })
  // A first answer that is on its way may be older than the change, and no other would be asked for beside it.
  const early = new Set(
    queryClient
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
      .map(({ queryHash }) => queryHash),
  )
  void queryClient.invalidateQueries(filters).then(() => {
    if (early.size > 0)
      return queryClient.invalidateQueries({ ...filters, predicate: ({ queryHash }) => early.has(queryHash) })
  })
}

/**
 * Brings the cache up to date after a change: the answer replaces the cached answer of the call that it `renews`,
 * and the other named calls are made again where they are shown.
 */
export function updateCache<E extends Endpoint>(
  { definition: { renews } }: E,
  { input, answer, refreshes }: { input: Input<E>; answer: Answer<E>; refreshes: readonly Endpoint[] },
): void {
  if (renews) {
    const key = toQueryKey(renews, pickInput(renews, input as Record<string, unknown>))
    queryClient.setQueryData(key, answer)
    refreshExcept(renews.name, key)
  }
  refresh(refreshes.filter(({ name }) => name !== renews?.name))
}

function pickInput({ definition: { params, query } }: Endpoint, input: Record<string, unknown>): Input<Endpoint> {
  const names = Object.keys({ ...params?.entries, ...query?.entries })
  // A name without a value is none in the key's hash.
  return Object.fromEntries(names.map((name) => [name, input[name]])) as Input<Endpoint>
}

/**
 * Forgets the calls that failed, so that the components that need them call again; a boundary's retry does it. Whoever
 * else waits for the same answer, such as the title of the page, hears of it then.
 */
export function forgetFailures(): void {
  const hasFailed = ({ state }: Query): boolean => state.status === 'error'
  queryClient.removeQueries({ type: 'inactive', predicate: hasFailed })
  const waitedFor = new Set(queryClient.getQueryCache().findAll({ predicate: hasFailed }))
  void queryClient.resetQueries({ predicate: (query) => waitedFor.has(query) })
}

/**
 * Reads the current state again when a change conflicts with it (409: another user was earlier), so that the page shows
 * what is, and the next save knows what it overwrites.
 */
export function refreshIfChanged(
  error: unknown,
  { definition: { renews } }: Endpoint,
  refreshes: readonly Endpoint[],
): void {
  if (error instanceof CallError && error.status === 409) refresh(renews ? [renews, ...refreshes] : refreshes)
}
