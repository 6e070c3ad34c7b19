import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import type { StoredUser } from './session/types.ts'

/** What a search of the command palette is asked. */
export interface SearchRequest {
  /** What was typed, without spaces around it; at least two characters. */
  readonly term: string
  /** More are not looked at; of these, the best are shown. */
  readonly limit: number
  readonly user: StoredUser
  /**
   * Makes a read of the contract, which ends when another letter is typed. Searches that ask the same share one answer,
   * and a refusal shows nothing.
   */
  readonly ask: <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Answer<E>>
  /**
   * Where it looks, if that is not everywhere that the person may look: the palette says it beside the results, and
   * where there are none. Palettes before 1.12 have no place for it.
   */
  readonly sayPlace?: (place: string) => void
}

/** A row of the command palette: whom or what, what about it, and when. */
export interface FoundItem {
  readonly to: string
  readonly text: string
  readonly note?: string
  readonly when?: string
}

/** A function of a remote's `./search` module, by the name in its declaration. */
export type Search = (request: SearchRequest) => Promise<readonly FoundItem[]>
