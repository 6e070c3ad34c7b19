export type BucketFault = 'MISSING' | 'REFUSED' | 'FULL' | 'UNAVAILABLE'

/** The bucket cannot do it. The message is a sentence with the cure, for whoever runs the server; it holds no key and no secret. */
export class BucketError extends Error {
  readonly fault: BucketFault
  /** S3's own word for it, such as NoSuchBucket. */
  readonly code: string
  constructor(fault: BucketFault, code: string, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.name = 'BucketError'
    this.fault = fault
    this.code = code
  }
}

const keys = 'Correct DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY.'
const region = 'Correct DMP_S3_REGION.'

const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'does not exist. Create it, or correct DMP_S3_BUCKET.',
  InvalidBucketName: 'does not exist. Create it, or correct DMP_S3_BUCKET.',
  InvalidAccessKeyId: `does not know the access key. ${keys}`,
  SignatureDoesNotMatch: `does not take the secret key. ${keys}`,
  AccessDenied:
    'may not be used with these keys. Give them the right to list, read, write and delete there, or use others.',
  AllAccessDisabled: 'is disabled by its provider.',
  PermanentRedirect: `is in another region. ${region}`,
  AuthorizationHeaderMalformed: `is in another region. ${region}`,
  IllegalLocationConstraintException: `is in another region. ${region}`,
  RequestTimeTooSkewed: 'has another time than this machine. Set the clock of this machine.',
}

/** What an answer that is no success means. */
export function toBucketError(place: string, status: number, code: string): BucketError {
  const sentence = refusals[code]
  if (sentence !== undefined) return new BucketError('REFUSED', code, `The bucket ${place} ${sentence}`)
  if (status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull')
    return new BucketError('FULL', code, `The bucket ${place} is full. Make room there.`)
  if (status === 403) return toBucketError(place, status, 'AccessDenied')
  return new BucketError('UNAVAILABLE', code, `The bucket ${place} answered ${status} ${code}.`)
}

/** Nobody answers there. */
export function toUnreachableError(place: string, cause: unknown): BucketError {
  const inner = (cause as { cause?: { code?: unknown } }).cause?.code
  const why = typeof inner === 'string' ? inner : cause instanceof Error ? cause.name : 'unknown'
  return new BucketError(
    'UNAVAILABLE',
    why,
    `The bucket ${place} does not answer (${why}). Start the store, or correct DMP_S3_ENDPOINT.`,
    cause,
  )
}
