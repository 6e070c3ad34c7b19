import { toBucketError, toUnreachableError } from './bucketError.ts'

it.each([
  [404, 'NoSuchBucket', 'REFUSED', 'does not exist. Create it'],
  [403, 'SignatureDoesNotMatch', 'REFUSED', 'rejected the secret key'],
  [403, 'Unknown', 'REFUSED', 'may not be used with these keys'],
  [507, 'Unknown', 'FULL', 'is full. Free some space there.'],
  [400, 'QuotaExceeded', 'FULL', 'is full. Free some space there.'],
  [500, 'XMinioStorageFull', 'FULL', 'is full. Free some space there.'],
  [300, 'Unknown', 'REFUSED', 'redirects to another address (300), which is never followed'],
  [399, 'Unknown', 'REFUSED', 'redirects to another address (399), which is never followed'],
  [301, 'PermanentRedirect', 'REFUSED', 'is in another region'],
  [400, 'Unknown', 'UNAVAILABLE', 'responded with 400 Unknown.'],
  [299, 'Unknown', 'UNAVAILABLE', 'responded with 299 Unknown.'],
  [503, 'SlowDown', 'UNAVAILABLE', 'responded with 503 SlowDown.'],
])('an answer %i %s of a bucket is one that is %s: %s', (status, code, fault, words) => {
  const error = toBucketError('scans at https://s3.test', status, code)
  expect([error.fault, error.message]).toEqual([
    fault,
    expect.stringContaining(`The bucket scans at https://s3.test ${words}`),
  ])
})

it.each([
  [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), 'ECONNREFUSED'],
  [new DOMException('no response in time', 'TimeoutError'), 'TimeoutError'],
  [new TypeError('fetch failed', { cause: { code: 7 } }), 'TypeError'],
  [{}, 'unknown'],
  [undefined, 'unknown'],
  [null, 'unknown'],
])('a request without an answer says why as far as it is known: %p', (cause, code) => {
  const error = toUnreachableError('scans', cause)
  expect([error.fault, error.code, error.message]).toEqual([
    'UNAVAILABLE',
    code,
    `The bucket scans does not respond (${code}). Start the store, or correct DMP_S3_ENDPOINT.`,
  ])
})
