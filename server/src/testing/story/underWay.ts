import type { Database } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Files that are read or written, lines that are opened, what is computed beside the event loop. */
const work = /^(?:FSReq|GetAddrInfo|TCPConnect|Pipe\w*Connect|Write|Shutdown|Zlib|\w+Job$)/

/** Whether the machine does something for this process, of which an event loop at rest knows nothing. */
export const isAtWork = (): boolean => process.getActiveResourcesInfo().some((name) => work.test(name))

export interface QueryWatch {
  /** Whether there was a statement since the last `forget`, or is one yet. */
  isAsking(): boolean
  forget(): void
}

interface Count {
  begun: number
  open: number
}

const counted =
  <Given extends unknown[], Result>(count: Count, run: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    count.begun += 1
    count.open += 1
    try {
      return await run(...given)
    } finally {
      count.open -= 1
    }
  }

export function watchQueries(embedded: Database['embedded']): QueryWatch {
  if (!embedded) throw new Error('Stories are told on the embedded database: TEST_DATABASE_URL must not be set.')
  const count = { begun: 0, open: 0 }
  embedded.query = counted(count, embedded.query.bind(embedded)) as typeof embedded.query
  embedded.transaction = counted(count, embedded.transaction.bind(embedded)) as typeof embedded.transaction
  return { isAsking: () => count.begun + count.open > 0, forget: () => void (count.begun = 0) }
}

/**
 * Whether an object is read or drawn in a thread: also after an answer, for a picture that nobody waits for. A story
 * that went on meanwhile would end it, as its time is the story's.
 */
export function watchThreads({ reader, pictures }: Pick<Dependencies, 'reader' | 'pictures'>): () => boolean {
  const count = { begun: 0, open: 0 }
  reader.run = counted(count, reader.run.bind(reader)) as typeof reader.run
  pictures.draw = counted(count, pictures.draw.bind(pictures))
  return () => count.open > 0
}
