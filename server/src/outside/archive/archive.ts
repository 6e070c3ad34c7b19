import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ObjectStoreError } from '../objectStore.ts'
import { parseBoundary, singlePart } from './singlePart.ts'

export interface ArchivePlace {
  /** Root of its DICOMweb services; `{organizationId}` in it gives each organization a store of its own. */
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
  /** How it deletes: as DICOMweb servers that can, by Orthanc's own calls, or not at all. */
  readonly deletes: 'dicomweb' | 'orthanc' | 'never'
}

export interface ArchivedInstance {
  readonly organizationId: string
  readonly studyUID: string
  readonly seriesUID: string
  readonly sopInstanceUID: string
}

/** The archive does not let us in, or is not one. The message is for the operator, and holds no secret. */
export class ArchiveRefusal extends Error {}

const tries = 4
/** Somebody waits for the answer; storing takes as long as the object needs, at the least pace. */
export const archiveWaits = { answerMs: 8000 }
const bytesPerMs = 128
const longestTimeoutMs = 120_000
/**
 * An archive that hung is not asked again for so long: whatever waits behind the request that found out, or has to undo
 * something because of it, would wait as long once more.
 */
const restMs = 2000
const organizationMark = '{organizationId}'

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Record<string, string>
  readonly body?: Blob | string
  readonly understood?: readonly number[]
}

/**
 * The product's requests to a DICOMweb server: STOW-RS and WADO-RS of one instance, and deletion where it offers one.
 */
export class Archive {
  readonly isPerOrganization: boolean
  readonly deletes: ArchivePlace['deletes']
  readonly #root: string
  readonly #authorization: string | undefined
  #restsUntil = 0

  constructor({ url, user, password, token, deletes }: ArchivePlace) {
    this.#root = url.endsWith('/') ? url.slice(0, -1) : url
    this.deletes = deletes
    this.isPerOrganization = url.includes(organizationMark)
    if (token !== undefined) this.#authorization = `Bearer ${token}`
    else if (user !== undefined)
      this.#authorization = `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`
  }

  #rootOf(organizationId: string): string {
    return this.#root.replaceAll(organizationMark, organizationId)
  }

  #instance(instance: ArchivedInstance): string {
    return `${this.#rootOf(instance.organizationId)}/studies/${instance.studyUID}/series/${instance.seriesUID}/instances/${instance.sopInstanceUID}`
  }

  /** The bytes as the archive gives them out, in whatever transfer syntax it holds them; undefined when it has none. */
  async get(instance: ArchivedInstance): Promise<Readable | undefined> {
    const response = await this.#ask(instance)
    if (!response.ok) {
      await response.body?.cancel()
      return undefined
    }
    const { body } = response
    const boundary = parseBoundary(response.headers.get('content-type') ?? '')
    if (!body) return undefined
    const bytes = this.#unlessSilent(body)
    return Readable.from(faithful(boundary === undefined ? bytes : singlePart(bytes, boundary)), {
      objectMode: false,
      highWaterMark: 2 ** 18,
    })
  }

  /** Whether it has the instance, in whatever form. */
  async has(instance: ArchivedInstance): Promise<boolean> {
    const response = await this.#ask(instance)
    // What it begins to send is not wanted.
    await response.body?.cancel()
    return response.ok
  }

  #ask(instance: ArchivedInstance): Promise<Response> {
    const accept = 'multipart/related; type="application/dicom"; transfer-syntax=*'
    return this.#send(this.#instance(instance), { headers: { accept }, understood: [404, 410] })
  }

  /** Hash of what the archive holds. */
  async sha256(instance: ArchivedInstance): Promise<string | undefined> {
    const stream = await this.get(instance)
    if (!stream) return undefined
    const hash = createHash('sha256')
    for await (const chunk of stream) hash.update(chunk as Buffer)
    return hash.digest('hex')
  }

  /** STOW-RS. Its answer is no proof: the caller asks for the bytes afterwards. */
  async store(instance: ArchivedInstance, bytes: Blob): Promise<void> {
    const boundary = `dmp-${randomBytes(12).toString('hex')}`
    const body = new Blob([
      `--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`,
      bytes,
      `\r\n--${boundary}--\r\n`,
    ])
    const headers = {
      'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}`,
      accept: 'application/dicom+json',
    }
    const response = await this.#send(`${this.#rootOf(instance.organizationId)}/studies/${instance.studyUID}`, {
      method: 'POST',
      headers,
      body,
      understood: [202, 400, 409],
    })
    await response.body?.cancel()
  }

  /** Deleting a missing object is no error; false when the archive does not delete. */
  async remove(instance: ArchivedInstance): Promise<boolean> {
    if (this.deletes === 'never') return false
    if (this.deletes === 'orthanc') return this.#removeFromOrthanc(instance)
    const response = await this.#send(this.#instance(instance), { method: 'DELETE', understood: [404, 405, 410, 501] })
    await response.body?.cancel()
    // 404 is what a server says that has no such instance, and what one says that has no such service.
    return (
      response.ok ||
      ((response.status === 404 || response.status === 410) && (await this.sha256(instance)) === undefined)
    )
  }

  async #removeFromOrthanc(instance: ArchivedInstance): Promise<boolean> {
    const rest = new URL('..', `${this.#rootOf(instance.organizationId)}/`).href
    const entries = (await (
      await this.#send(`${rest}tools/lookup`, { method: 'POST', body: instance.sopInstanceUID })
    ).json()) as { ID: string; Type: string }[]
    for (const { ID, Type } of entries) {
      if (Type !== 'Instance') continue
      const response = await this.#send(`${rest}instances/${ID}`, { method: 'DELETE', understood: [404] })
      await response.body?.cancel()
    }
    return true
  }

  /** Throws an `ArchiveRefusal` or an `ObjectStoreError` when it cannot be searched. */
  async check(): Promise<void> {
    // A server for one organization at a time is asked for one that does not exist: that it answers is enough.
    const root = this.#rootOf('00000000-0000-4000-8000-000000000000')
    const response = await this.#send(`${root}/studies?limit=1`, {
      headers: { accept: 'application/dicom+json' },
      understood: this.isPerOrganization ? [400, 404] : [],
    })
    const type = response.headers.get('content-type') ?? ''
    await response.body?.cancel()
    if (response.status === 200 && !/json/i.test(type))
      throw new ArchiveRefusal(`${this.#root} responds, but is not a DICOMweb server. Correct DMP_DICOMWEB_URL.`)
  }

  async #send(url: string, request: Request): Promise<Response> {
    const began = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(url, request)
      } catch (cause) {
        // One that hangs is not tried again: its rest would be over in between, and the wait begin anew.
        const hasTime = performance.now() - began < archiveWaits.answerMs / 2 && !this.#isResting()
        const isTransient = cause instanceof ObjectStoreError && cause.fault === 'UNAVAILABLE'
        if (!isTransient || !hasTime || attempt === tries) throw cause
        await pause(100 * 4 ** (attempt - 1) * (0.5 + Math.random()))
      }
    }
  }

  /** The bytes of an answer; one that stops in the middle is as bad as none. */
  async *#unlessSilent(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    try {
      for (;;) {
        const silence = Promise.withResolvers<never>()
        const timer = setTimeout(() => silence.reject(this.#rest()), archiveWaits.answerMs)
        const { done, value } = await Promise.race([reader.read(), silence.promise]).finally(() => clearTimeout(timer))
        if (done) return
        yield value
      }
    } finally {
      // Also when its reader has seen enough.
      void reader.cancel().catch(() => undefined)
    }
  }

  /** Notes that the archive hangs; the error for whoever found out. */
  #rest(): ObjectStoreError {
    this.#restsUntil = performance.now() + restMs
    return hanging()
  }

  #isResting = (): boolean => performance.now() < this.#restsUntil

  async #once(url: string, { method = 'GET', headers = {}, body, understood = [] }: Request): Promise<Response> {
    if (this.#isResting()) throw hanging()
    const tooLate = new AbortController()
    const bytes = body instanceof Blob ? body.size : 0
    const timer = setTimeout(
      () => tooLate.abort(this.#rest()),
      Math.min(longestTimeoutMs, archiveWaits.answerMs + bytes / bytesPerMs),
    )
    let response: Response
    try {
      response = await fetch(url, {
        method,
        signal: tooLate.signal,
        // Patients' objects go to the server of the settings, and to no other that it names.
        redirect: 'manual',
        headers: { ...headers, ...(this.#authorization && { authorization: this.#authorization }) },
        ...(body !== undefined && { body }),
      })
    } catch (cause) {
      throw cause instanceof ObjectStoreError ? cause : new ObjectStoreError('UNAVAILABLE', cause)
    } finally {
      clearTimeout(timer)
    }
    if (response.ok || understood.includes(response.status)) return response
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) {
      throw new ArchiveRefusal(
        `The DICOMweb server ${this.#root} rejected the credentials (${response.status}). Correct DMP_DICOMWEB_USER and DMP_DICOMWEB_PASSWORD, or DMP_DICOMWEB_TOKEN.`,
      )
    }
    if (response.status >= 300 && response.status < 400)
      throw new ArchiveRefusal(
        `The DICOMweb server ${this.#root} redirects to another address (${response.status}), which is never followed. Set DMP_DICOMWEB_URL to its final address.`,
      )
    if (response.status === 507) throw new ObjectStoreError('FULL')
    if (response.status < 500 && response.status !== 429)
      throw new ArchiveRefusal(
        `The DICOMweb server ${this.#root} responded with ${response.status}. Correct DMP_DICOMWEB_URL.`,
      )
    throw new ObjectStoreError('UNAVAILABLE', new Error(`The archive responded with ${response.status}.`))
  }
}

const hanging = (): ObjectStoreError => new ObjectStoreError('UNAVAILABLE', new Error('The archive does not answer.'))

/** A line that breaks is a fault of the store. */
async function* faithful(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw cause instanceof ObjectStoreError ? cause : new ObjectStoreError('UNAVAILABLE', cause)
  }
}
