import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BucketError, toBucketError, toUnreachableError } from './bucketError.ts'
import { parseListPage, type ListedObject } from './listPage.ts'
import { uploadPartBytes, uploadMultipart } from './multipartUpload.ts'
import { SignedFetch, type Credentials } from './signedFetch.ts'

export { BucketError, type BucketFault } from './bucketError.ts'
export type { ListedObject } from './listPage.ts'

/** Where an S3-compatible bucket is (docs/operations.md, `DMP_S3_…`). */
export interface BucketLocation extends Credentials {
  /** Such as `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`. */
  readonly endpoint: string
  readonly bucket: string
  /** Whether the bucket's name is in the path; otherwise it is part of the host name. */
  readonly isPathStyle: boolean
  /** All keys begin with it, such as `dmp/`; empty for the whole bucket. */
  readonly prefix: string
}

/** Endpoint and keys, without the name of a bucket. */
export type BucketAccess = Omit<BucketLocation, 'bucket' | 'prefix'>

/** The settings that lead to a bucket. */
export interface AccessSettings {
  /** Without it: Amazon's endpoint of the region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly isPathStyle: boolean
}

/** Applies the same defaults to buckets of objects and of releases. Returns undefined if a key is missing. */
export function bucketAccess({
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
  isPathStyle,
}: AccessSettings): BucketAccess | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined
  return {
    endpoint: endpoint || `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
    isPathStyle,
  }
}

export interface Content {
  /** Size of the whole object, even if a range was requested. */
  readonly size: number
  readonly stream: Readable
}

export interface PutOptions {
  readonly sha256?: string
  readonly ifAbsent?: boolean
  /** For small objects that are bytes. */
  readonly lockedUntil?: Date
}

export interface Range {
  /** First and last byte, both included. */
  readonly start: number
  readonly end?: number
}

/**
 * The few S3 calls that the product uses, for any S3-compatible store. An object is visible completely or not at all.
 *
 * @example
 * const bucket = openBucket(location)
 * await bucket.check()
 * await bucket.put('scans/1', await openAsBlob(file))
 */
export class Bucket {
  /** For messages; contains no keys. */
  readonly location: string
  readonly #signed: SignedFetch
  readonly #root: string
  readonly #prefix: string
  readonly #region: string

  constructor({ endpoint, bucket, isPathStyle, prefix, ...keys }: BucketLocation) {
    this.#region = keys.region
    const root = new URL(endpoint)
    if (isPathStyle) root.pathname = `${root.pathname.replace(/\/$/, '')}/${bucket}`
    else root.host = `${bucket}.${root.host}`
    this.#root = root.href.replace(/\/$/, '')
    this.#prefix = prefix
    this.location = `${bucket} at ${endpoint}`
    this.#signed = new SignedFetch(keys, this.location)
  }

  #url(key: string): string {
    return `${this.#root}/${`${this.#prefix}${key}`.split('/').map(encodeURIComponent).join('/')}`
  }

  /**
   * Adds or replaces an object. With `ifAbsent` it returns false, and does nothing, if the key is taken. Until
   * `lockedUntil` nobody can remove or replace it; the bucket must have object lock.
   */
  async put(
    key: string,
    body: Blob | Uint8Array<ArrayBuffer>,
    { sha256, ifAbsent = false, lockedUntil }: PutOptions = {},
  ): Promise<boolean> {
    const isBlob = body instanceof Blob
    if (isBlob && body.size > uploadPartBytes && !ifAbsent) {
      await uploadMultipart(this.#signed, this.#url(key), body)
      return true
    }
    // The store compares the content with the hash that was signed.
    const hash = sha256 ?? (isBlob ? 'UNSIGNED-PAYLOAD' : createHash('sha256').update(body).digest('hex'))
    const response = await this.#signed.send({
      method: 'PUT',
      url: this.#url(key),
      body,
      headers: {
        'x-amz-content-sha256': hash,
        ...(ifAbsent && { 'if-none-match': '*' }),
        ...(lockedUntil && toLockHeaders(body, lockedUntil)),
      },
      acceptedStatuses: ifAbsent ? [412] : [],
    })
    await response.body?.cancel()
    return response.status !== 412
  }

  /** Reads an object or a range of it; undefined if there is none. A stream that breaks off resumes where it was. */
  async get(key: string, range?: Range): Promise<Content | undefined> {
    const first = await this.#fetchObject(key, range)
    if (!first) return undefined
    const size = parseTotalSize(first)
    return {
      size,
      stream: Readable.from(this.#resume(key, first, range?.start ?? 0, range?.end), {
        objectMode: false,
        highWaterMark: 2 ** 18,
      }),
    }
  }

  async #fetchObject(key: string, range?: Range, etag?: string): Promise<Response | undefined> {
    const headers = {
      ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }),
      ...(etag && { 'if-match': etag }),
    }
    const response = await this.#signed.send({
      method: 'GET',
      url: this.#url(key),
      headers,
      acceptedStatuses: [404, 416],
    })
    if (response.ok) return response
    const body = await response.text()
    // An empty object has no first byte.
    if (response.status === 416) return new Response(null, { headers: { 'content-length': '0' } })
    if (body.includes('NoSuchBucket')) throw toBucketError(this.location, 404, 'NoSuchBucket')
    return undefined
  }

  async *#resume(key: string, first: Response, start: number, end: number | undefined): AsyncGenerator<Uint8Array> {
    const etag = first.headers.get('etag') ?? undefined
    let response: Response | undefined = first
    let position = start
    for (let interruptions = 0; response;) {
      try {
        if (response.body)
          for await (const chunk of unlessSilent(response.body, this.location)) {
            yield chunk
            position += chunk.length
            interruptions = 0
          }
        return
      } catch (cause) {
        if (cause instanceof BucketError) throw cause
        interruptions += 1
        if (interruptions > 3) throw toUnreachableError(this.location, cause)
        response = await this.#fetchObject(key, { start: position, ...(end !== undefined && { end }) }, etag)
      }
    }
  }

  /** Does nothing if the key is free. */
  async remove(key: string): Promise<void> {
    const response = await this.#signed.send({ method: 'DELETE', url: this.#url(key), acceptedStatuses: [404] })
    await response.body?.cancel()
  }

  /** Lists the objects whose key begins with a prefix, in the order of their keys. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for await (const { objects } of this.#pages(prefix, ''))
      for (const object of objects) yield { ...object, key: object.key.slice(this.#prefix.length) }
  }

  /** Lists the names directly below `folder/`, or at the top where it is empty, not those further down. */
  async names(folder: string): Promise<string[]> {
    const names: string[] = []
    const within = folder === '' ? '' : `${folder}/`
    const start = this.#prefix.length + within.length
    for await (const { objects, folders } of this.#pages(within, '/')) {
      names.push(...objects.map(({ key }) => key.slice(start)), ...folders.map((path) => path.slice(start, -1)))
    }
    return names
  }

  async *#pages(start: string, delimiter: string): AsyncGenerator<ReturnType<typeof parseListPage>> {
    let next: string | undefined = ''
    while (next !== undefined) {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: `${this.#prefix}${start}`,
        ...(delimiter && { delimiter }),
        ...(next && { 'continuation-token': next }),
      })
      const page = parseListPage(
        await (
          await this.#signed.send({ method: 'GET', url: `${this.#root}?${query.toString().replaceAll('+', '%20')}` })
        ).text(),
      )
      yield page
      next = page.next
    }
  }

  /**
   * Makes the bucket, in the region of the settings. Returns false if there is one of this name already, which may be
   * somebody else's: `check` tells.
   */
  async create(): Promise<boolean> {
    // The first region of all is the one that must not be named.
    const region = this.#region === 'us-east-1' ? '' : this.#region
    const { status, body } = await this.#signed.send({
      method: 'PUT',
      url: this.#root,
      ...(region && {
        body: `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
      }),
      acceptedStatuses: [409],
    })
    await body?.cancel()
    return status !== 409
  }

  /** Throws a `BucketError` that explains what is wrong unless the bucket can be listed, written and read. */
  async check(): Promise<void> {
    const key = 'check'
    await this.put(key, new Uint8Array(0))
    const found = await this.get(key)
    found?.stream.resume()
    for await (const _ of this.list(key)) break
  }
}

/** A store that sends nothing for so long hangs, and does not answer the next request either. */
const silenceMs = 8000

async function* unlessSilent(body: ReadableStream<Uint8Array>, location: string): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const silence = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => silence.reject(toUnreachableError(location, new DOMException('silence', 'TimeoutError'))),
        silenceMs,
      )
      const { done, value } = await Promise.race([reader.read(), silence.promise]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    // Also when its reader has seen enough.
    void reader.cancel().catch(() => undefined)
  }
}

/** Stores ask for a checksum of what they lock. */
function toLockHeaders(body: Blob | Uint8Array, until: Date): Record<string, string> {
  if (body instanceof Blob) throw new Error('Only bytes are locked.')
  return {
    'content-md5': createHash('md5').update(body).digest('base64'),
    'x-amz-object-lock-mode': 'COMPLIANCE',
    'x-amz-object-lock-retain-until-date': until.toISOString(),
  }
}

function parseTotalSize(response: Response): number {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  return Number(total ?? response.headers.get('content-length') ?? 0)
}

export const openBucket = (location: BucketLocation): Bucket => new Bucket(location)
