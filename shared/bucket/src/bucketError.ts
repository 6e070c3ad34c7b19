export type BucketFault = 'MISSING' | 'REFUSED' | 'FULL' | 'UNAVAILABLE'

/**
 * A request that the bucket could not serve. The message tells the operator the cure; it contains no key and no secret.
 */
export class BucketError extends Error {
  readonly fault: BucketFault
  /** The error code of S3, such as NoSuchBucket. */
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

const sentences: Readonly<Record<string, string>> = {
  NoSuchBucket: 'does not exist. Create it, or correct DMP_S3_BUCKET.',
  InvalidBucketName: 'does not exist. Create it, or correct DMP_S3_BUCKET.',
  InvalidAccessKeyId: `rejected the access key. ${keys}`,
  SignatureDoesNotMatch: `rejected the secret key. ${keys}`,
  AccessDenied:
    'may not be used with these keys. Give them the right to list, read, write and delete there, or use others.',
  AllAccessDisabled: 'is disabled by its provider.',
  PermanentRedirect: `is in another region. ${region}`,
  AuthorizationHeaderMalformed: `is in another region. ${region}`,
  IllegalLocationConstraintException: `is in another region. ${region}`,
  RequestTimeTooSkewed: 'runs on a different clock. Set the time of this machine.',
}

/** Explains an unsuccessful response. */
export function toBucketError(location: string, status: number, code: string): BucketError {
  const sentence = sentences[code]
  if (sentence !== undefined) return new BucketError('REFUSED', code, `The bucket ${location} ${sentence}`)
  if (status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull')
    return new BucketError('FULL', code, `The bucket ${location} is full. Free some space there.`)
  if (status === 403) return toBucketError(location, status, 'AccessDenied')
  if (status >= 300 && status < 400)
    return new BucketError(
      'REFUSED',
      code,
      `The bucket ${location} redirects to another address (${status}), which is never followed. Correct DMP_S3_ENDPOINT.`,
    )
  return new BucketError('UNAVAILABLE', code, `The bucket ${location} responded with ${status} ${code}.`)
}

/** Explains a request without a response. */
export function toUnreachableError(location: string, cause: unknown): BucketError {
  const { cause: inner, name } = (cause ?? {}) as { cause?: { code?: unknown }; name?: unknown }
  // A time-out is a DOMException, which is not an Error everywhere.
  const code = [inner?.code, name].find((each): each is string => typeof each === 'string') ?? 'unknown'
  return new BucketError(
    'UNAVAILABLE',
    code,
    `The bucket ${location} does not respond (${code}). Start the store, or correct DMP_S3_ENDPOINT.`,
    cause,
  )
}
