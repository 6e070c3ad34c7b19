import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { call, CallError, rank, reportError, type FoundItem, type SearchRequest, type StoredUser } from '@dmp/kit'
import { RemoteError } from '../remotes/RemoteError.ts'
import type { Item } from './Item.ts'
import type { Source } from './sources.ts'

export interface SourceAnswer {
  readonly items: readonly Item[]
  /** There are more, which other words would find. */
  readonly hasMore?: boolean
  /** Where it looked, if not everywhere. */
  readonly place?: string | undefined
  readonly failure?: string
}

interface Question {
  readonly term: string
  readonly user: StoredUser
  readonly sources: readonly Source[]
  /** Called once for each source, in the order of their answers; never after the question was taken back. */
  readonly onAnswer: (source: Source, answer: SourceAnswer) => void
}

/** Rows are asked for, and of them the best are shown. */
const askedRows = 25
const shownRows = 5
const timeoutMs = 8000

type Request = Omit<SearchRequest, 'sayPlace'>

/** Asks every source at once; each answers, fails or is given up alone. Returns a function that takes it back. */
export function askSources({ term, user, sources, onAnswer }: Question): () => void {
  const controller = new AbortController()
  const request: Request = { term, limit: askedRows, user, ask: createAsk(controller.signal) }
  for (const source of sources) {
    void askSource(source, request, controller.signal).then((answer) => {
      if (!controller.signal.aborted) onAnswer(source, answer)
    })
  }
  return () => controller.abort()
}

/** Reads of one question: who asks the same as another gets its answer. */
function createAsk(signal: AbortSignal): SearchRequest['ask'] {
  const answers = new Map<string, Promise<unknown>>()
  return <E extends Endpoint>(endpoint: E, input: Input<E>) => {
    const key = `${endpoint.name} ${JSON.stringify(input)}`
    const answer = answers.get(key) ?? call(endpoint, input, { signal, isQuiet: true })
    answers.set(key, answer)
    return answer as ReturnType<typeof call<E>>
  }
}

async function askSource(source: Source, request: Request, signal: AbortSignal): Promise<SourceAnswer> {
  let place: string | undefined
  const sayPlace = (text: string): void => {
    place = text
  }
  try {
    const rows = await withTimeout(
      source.load().then((search) => search({ ...request, sayPlace })),
      signal,
    )
    return { ...toAnswer(source, request, rows), ...(place && { place }) }
  } catch (error) {
    return signal.aborted ? { items: [] } : toFailure(source, error)
  }
}

class TooLate extends Error {}

function withTimeout<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TooLate()), timeoutMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new TooLate())
    })
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * What a remote returns is not taken on trust: only addresses of this page, and no more rows than are shown. Names that
 * begin with what was typed stand before mentions of it.
 */
function toAnswer({ id, needs }: Source, { term }: Request, rows: readonly FoundItem[]): SourceAnswer {
  const items = rows
    .filter(({ to, text }) => typeof text === 'string' && /^\/(?![/\\])/.test(to))
    .slice(0, askedRows)
    .map(({ to, text, note, when }): Item => ({ id: `${id} ${to}`, to, text, note, when, needs }))
    .toSorted((a, b) => rank(term, b.text) - rank(term, a.text))
  return { items: items.slice(0, shownRows), hasMore: items.length > shownRows }
}

function toFailure({ part }: Source, error: unknown): SourceAnswer {
  if (error instanceof TooLate) return { items: [], failure: 'It took too long.' }
  if (error instanceof RemoteError) return { items: [], failure: error.sentence }
  // The server decides: what it refuses is not there.
  if (error instanceof CallError) return error.status === 403 ? { items: [] } : { items: [], failure: error.message }
  reportError(error, part)
  return { items: [], failure: 'It stopped because of an error.' }
}
