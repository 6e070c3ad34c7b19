/** One request, by the name of its call; where it goes is the transport's matter. */
export interface Asked {
  readonly name: string
  readonly method: string
  /** With its parameters filled in. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly seenUpdatedDate?: string | undefined
}

/** Makes a request and returns its reply, `{data, total}`. Throws `CallError`. */
export type Pass = (asked: Asked, signal: AbortSignal | undefined) => Promise<unknown>

let pass: Pass | undefined

/** From now on somebody else makes this page's requests: it is a guest in a frame, and reaches no server. */
export const passRequestsTo = (other: Pass): void => {
  pass = other
}

/** Who makes this page's requests; undefined where it does so itself. */
export const findPass = (): Pass | undefined => pass
