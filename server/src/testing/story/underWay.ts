import type { Database } from '../../db/client.ts'

/** Files that are read or written, lines that are opened, what is computed beside the event loop. */
const work = /^(?:FSReq|GetAddrInfo|TCPConnect|Pipe\w*Connect|Write|Shutdown|Zlib|\w+Job$)/

/** Whether the machine does something for this process, of which an event loop at rest knows nothing. */
export const isAtWork = (): boolean => process.getActiveResourcesInfo().some((name) => work.test(name))

export interface QueryWatch {
  /** Whether there was a statement since the last `forget`, or is one yet. */
  isAsking(): boolean
  forget(): void
}

export function watchQueries(embedded: Database['embedded']): QueryWatch {
  if (!embedded) throw new Error('Stories are told on the embedded database: TEST_DATABASE_URL must not be set.')
  let asked = 0
  let open = 0
  const watched =
    <Given extends unknown[], Result>(run: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      asked += 1
      open += 1
      try {
        return await run(...given)
      } finally {
        open -= 1
      }
    }
  embedded.query = watched(embedded.query.bind(embedded)) as typeof embedded.query
  embedded.transaction = watched(embedded.transaction.bind(embedded)) as typeof embedded.transaction
  return { isAsking: () => asked + open > 0, forget: () => void (asked = 0) }
}
