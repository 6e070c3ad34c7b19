export type FailureKind =
  | 'address'
  | 'expired'
  | 'link-ended'
  | 'not-found'
  | 'no-images'
  | 'video'
  | 'decimals'
  | 'unsupported'
  | 'damaged'
  | 'network'
  | 'busy'
  | 'server'
  | 'graphics'

interface Explanation {
  readonly title: string
  readonly sentence: string
  /** Whether trying the same again can help. */
  readonly mayRetry: boolean
}

/** The text that a person reads, and whether a retry is offered. */
export const explanations: Record<FailureKind, Explanation> = {
  address: {
    title: 'No study was selected',
    sentence: 'Open the images with the View button of a scan.',
    mayRetry: false,
  },
  expired: {
    title: 'Your session has expired',
    sentence: 'Sign in again, then press View. You can close this page.',
    mayRetry: true,
  },
  'link-ended': {
    title: 'This link has ended',
    sentence: 'It expired, was revoked, or has to be opened again. Open it once more, or ask the sender for a new one.',
    mayRetry: false,
  },
  'not-found': {
    title: 'These images were not found',
    sentence: 'The scan was deleted, or it belongs to another organization.',
    mayRetry: true,
  },
  'no-images': {
    title: 'No images in this series',
    sentence: 'It contains only documents, reports or plans. Download the scan to open it elsewhere.',
    mayRetry: false,
  },
  video: {
    title: 'Videos cannot be shown yet',
    sentence: 'Download the scan to play it elsewhere.',
    mayRetry: false,
  },
  decimals: {
    title: 'Maps of decimal numbers cannot be shown yet',
    sentence: 'Download the scan to open it elsewhere.',
    mayRetry: false,
  },
  unsupported: {
    title: 'This kind of image cannot be shown here',
    sentence:
      'It is stored in a format (transfer syntax) that this viewer cannot read. Download the scan to open it elsewhere.',
    mayRetry: false,
  },
  damaged: {
    title: 'This image cannot be read',
    sentence: 'Its stored content is damaged or incomplete.',
    mayRetry: true,
  },
  network: {
    title: 'Connection lost',
    sentence: 'Loaded images stay usable. The others load when the connection is back.',
    mayRetry: true,
  },
  busy: {
    title: 'The server is busy',
    sentence: 'Wait a moment, then try again.',
    mayRetry: true,
  },
  server: {
    title: 'The server could not complete the request',
    sentence: 'Something went wrong. Try again in a moment.',
    mayRetry: true,
  },
  graphics: {
    title: 'This browser cannot show the images',
    sentence: 'The viewer could not start. Reload the page, or use a current browser.',
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
export function toFailure(thrown: unknown): ViewerFailure {
  if (thrown instanceof ViewerFailure) return thrown
  // Cornerstone rejects with the XMLHttpRequest itself, or with an object that wraps the error.
  if (typeof thrown === 'object' && thrown !== null) {
    if ('status' in thrown && typeof thrown.status === 'number' && thrown.status !== 200) {
      return new ViewerFailure(kindOfStatus(thrown.status), thrown)
    }
    if ('error' in thrown && thrown.error !== undefined && thrown.error !== thrown) return toFailure(thrown.error)
  }
  // Something that the decoders took for granted is not there: the object is unusual, which is no damage.
  if (thrown instanceof TypeError) return new ViewerFailure('unsupported', thrown)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (/no decoder|transfer syntax|not supported/i.test(message)) return new ViewerFailure('unsupported', thrown)
  return new ViewerFailure('damaged', thrown)
}

/** Failures that are about the line or the server, not about one picture: loading pauses and tries again. */
export const isPassing = (kind: FailureKind): boolean => kind === 'network' || kind === 'busy' || kind === 'server'
