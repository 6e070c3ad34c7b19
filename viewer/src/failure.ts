export type FailureKind =
  | 'address'
  | 'expired'
  | 'not-found'
  | 'no-images'
  | 'unsupported'
  | 'damaged'
  | 'network'
  | 'busy'
  | 'server'
  | 'graphics'

interface Explanation {
  title: string
  sentence: string
  /** Whether trying the same again can help. */
  mayRetry: boolean
}

/** What a person reads, and whether a retry is offered. */
export const explanations: Record<FailureKind, Explanation> = {
  address: {
    title: 'No study was named',
    sentence: 'Open the images with the View button of a scan.',
    mayRetry: false,
  },
  expired: {
    title: 'Your access to these images has ended',
    sentence: 'Sign in to the product and press View again; this page may then be closed.',
    mayRetry: true,
  },
  'not-found': {
    title: 'These images were not found',
    sentence: 'The scan was deleted or is not one of your organization.',
    mayRetry: true,
  },
  'no-images': {
    title: 'Nothing to look at',
    sentence: 'This scan holds no pictures, only documents or reports.',
    mayRetry: false,
  },
  unsupported: {
    title: 'This kind of picture cannot be shown here',
    sentence:
      'It is stored in a format (transfer syntax) that this viewer cannot read. Download the scan to open it elsewhere.',
    mayRetry: false,
  },
  damaged: {
    title: 'This picture cannot be read',
    sentence: 'Its stored content is damaged or incomplete.',
    mayRetry: true,
  },
  network: {
    title: 'The connection is lost',
    sentence: 'Pictures that are already here stay usable. The rest loads when the connection is back.',
    mayRetry: true,
  },
  busy: {
    title: 'The server is busy',
    sentence: 'It asks for a little patience.',
    mayRetry: true,
  },
  server: {
    title: 'The server could not answer',
    sentence: 'Something went wrong there. Try again in a moment.',
    mayRetry: true,
  },
  graphics: {
    title: 'This browser cannot draw the pictures',
    sentence: 'The viewer itself could not start. Reload the page, or use a current browser.',
    mayRetry: true,
  },
}

export class ViewerFailure extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, cause?: unknown) {
    super(explanations[kind].title, { cause })
    this.name = 'ViewerFailure'
    this.kind = kind
  }
}

/** The kind of an HTTP status that is not a success; 0 is how XMLHttpRequest says "no answer". */
export function kindOfStatus(status: number): FailureKind {
  if (status === 0 || status === 408 || status === 504) return 'network'
  if (status === 401 || status === 403) return 'expired'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 406 || status === 415) return 'unsupported'
  if (status === 429 || status === 503) return 'busy'
  return 'server'
}

/** Whatever was thrown while a picture was fetched or decoded, as a failure with words for it. */
export function failureOf(thrown: unknown): ViewerFailure {
  if (thrown instanceof ViewerFailure) return thrown
  // Cornerstone rejects with the XMLHttpRequest itself, or with an object that wraps the error.
  if (typeof thrown === 'object' && thrown !== null) {
    if ('status' in thrown && typeof thrown.status === 'number' && thrown.status !== 200) {
      return new ViewerFailure(kindOfStatus(thrown.status), thrown)
    }
    if ('error' in thrown && thrown.error !== undefined && thrown.error !== thrown) return failureOf(thrown.error)
  }
  const words = thrown instanceof Error ? thrown.message : String(thrown)
  if (/no decoder|transfer syntax|not supported/i.test(words)) return new ViewerFailure('unsupported', thrown)
  return new ViewerFailure('damaged', thrown)
}

/** Failures that are about the line or the server, not about one picture: loading pauses and tries again. */
export const isPassing = (kind: FailureKind): boolean => kind === 'network' || kind === 'busy' || kind === 'server'
