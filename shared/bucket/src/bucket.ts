import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { toBucketError, toUnreachableError } from './bucketError.ts'
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
  /** Whether the bucket is named in the path, or before the host. */
  readonly isPathStyle: boolean
  /** Everything lies below it, such as `dmp/`; empty for the whole bucket. */
  readonly prefix: string
}

/** How a bucket is reached and with which keys; which bucket, is said elsewhere. */
export type BucketAccess = Omit<BucketLocation, 'bucket' | 'prefix'>

/** What settings say of it. */
export interface AccessSettings {
  /** Where left out: Amazon's in the region. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly isPathStyle: boolean
}

/** The one rule for buckets of objects and of releases. Undefined where a key is missing. */
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
  /** Of the whole object, whatever range was asked for. */
  readonly size: number
  readonly stream: Readable
}

export interface Range {
  /** First and last byte, both included. */
  readonly start: number
  readonly end?: number
}

/**
 * The few calls of S3 that the product uses, over any store that speaks it. An object is under its key as a whole or not at all.
 *
 * @example
 * const bucket = openBucket(place)
 * await bucket.check()
 * await bucket.put('scans/1', await openAsBlob(file))
 */
export class Bucket {
  /** For messages; without keys. */
  readonly location: string
  readonly #signed: SignedFetch
  readonly #root: string
  readonly #prefix: string

  constructor({ endpoint, bucket, isPathStyle, prefix, ...keys }: BucketLocation) {
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

  /** Adds or replaces an object; with `ifAbsent` answers false, and does nothing, where the key is taken. */
  async put(
    key: string,
    body: Blob | Uint8Array<ArrayBuffer>,
    { sha256, ifAbsent = false }: { sha256?: string; ifAbsent?: boolean } = {},
  ): Promise<boolean> {
    const isBlob = body instanceof Blob
    if (isBlob && body.size > uploadPartBytes && !ifAbsent) {
      await uploadMultipart(this.#signed, this.#url(key), body)
      return true
    }
    // The store compares what it got with the hash that was signed.
    const hash = sha256 ?? (isBlob ? 'UNSIGNED-PAYLOAD' : createHash('sha256').update(body).digest('hex'))
    const answer = await this.#signed.send({
      method: 'PUT',
      url: this.#url(key),
      body,
      headers: { 'x-amz-content-sha256': hash, ...(ifAbsent && { 'if-none-match': '*' }) },
      acceptedStatuses: ifAbsent ? [412] : [],
    })
    await answer.body?.cancel()
    return answer.status !== 412
  }

  /** An object or a range of it; undefined where there is none. A stream that breaks off goes on where it was. */
  async get(key: string, range?: Range): Promise<Content | undefined> {
    const first = await this.#answer(key, range)
    if (!first) return undefined
    const size = parseTotalSize(first)
    return {
      size,
      stream: Readable.from(this.#going(key, first, range?.start ?? 0, range?.end), {
        objectMode: false,
        highWaterMark: 2 ** 18,
      }),
    }
  }

  async #answer(key: string, range?: Range, etag?: string): Promise<Response | undefined> {
    const headers = {
      ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }),
      ...(etag && { 'if-match': etag }),
    }
    const answer = await this.#signed.send({
      method: 'GET',
      url: this.#url(key),
      headers,
      acceptedStatuses: [404, 416],
    })
    if (answer.ok) return answer
    const words = await answer.text()
    // An empty object has no first byte.
    if (answer.status === 416) return new Response(null, { headers: { 'content-length': '0' } })
    if (words.includes('NoSuchBucket')) throw toBucketError(this.location, 404, 'NoSuchBucket')
    return undefined
  }

  async *#going(key: string, first: Response, start: number, end: number | undefined): AsyncGenerator<Uint8Array> {
    const etag = first.headers.get('etag') ?? undefined
    let answer: Response | undefined = first
    let at = start
    for (let breaks = 0; answer;) {
      try {
        if (answer.body)
          for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
            yield chunk
            at += chunk.length
            breaks = 0
          }
        return
      } catch (cause) {
        breaks += 1
        if (breaks > 3) throw toUnreachableError(this.location, cause)
        answer = await this.#answer(key, { start: at, ...(end !== undefined && { end }) }, etag)
      }
    }
  }

  /** Removing what is not there is no error. */
  async remove(key: string): Promise<void> {
    const answer = await this.#signed.send({ method: 'DELETE', url: this.#url(key), acceptedStatuses: [404] })
    await answer.body?.cancel()
  }

  /** Everything whose key begins so, in the order of the keys. */
  async *list(start: string): AsyncGenerator<ListedObject> {
    for await (const { objects } of this.#pages(start, ''))
      for (const one of objects) yield { ...one, key: one.key.slice(this.#prefix.length) }
  }

  /** Names directly below `folder/`, without what lies further down. */
  async names(folder: string): Promise<string[]> {
    const names: string[] = []
    const start = this.#prefix.length + folder.length + 1
    for await (const { objects, folders } of this.#pages(`${folder}/`, '/')) {
      names.push(...objects.map(({ key }) => key.slice(start)), ...folders.map((one) => one.slice(start, -1)))
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

  /** Throws a `BucketError` whose sentence says what is wrong when it cannot be listed, written and read. */
  async check(): Promise<void> {
    const key = 'check'
    await this.put(key, new Uint8Array(0))
    await (await this.get(key))?.stream.resume()
    for await (const _ of this.list(key)) break
  }
}

function parseTotalSize(answer: Response): number {
  const whole = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]
  return Number(whole ?? answer.headers.get('content-length') ?? 0)
}

export const openBucket = (place: BucketLocation): Bucket => new Bucket(place)
