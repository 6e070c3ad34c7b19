import type { FileStore } from '@tus/file-store'
import { tooManyOfAll, tooManyRequests } from '../../core/errors.ts'
import type { Settings } from '../../settings/settings.ts'

/** Whose upload it is; fixed when it begins. */
export interface UploadOwner {
  readonly userId: string
  readonly organizationId: string
}

interface UnfinishedUpload extends UploadOwner {
  readonly bytes: number
  readonly since: number
}

/** Room for one upload that begins. */
export interface UploadRoom {
  /** The upload has this id from now on. */
  keep(uploadId: string): void
  /** Nothing became of it. */
  release(): void
}

const retryAfterSeconds = 60

/**
 * Uploads that were begun and not finished, and the bytes that were promised for them: what they take of the disk is
 * bounded for each person and each organization.
 */
export class UnfinishedUploads {
  readonly #settings: Settings
  readonly #files: FileStore
  readonly #uploads = new Map<string, UnfinishedUpload>()

  constructor(settings: Settings, files: FileStore) {
    this.#settings = settings
    this.#files = files
  }

  get size(): number {
    return this.#uploads.size
  }

  /** Takes over what lies on the disk, and forgets what does not any more. */
  async refresh(): Promise<void> {
    const began = performance.now()
    const ids = new Set((await this.#files.configstore.list?.()) ?? [])
    for (const [id, { since }] of this.#uploads) if (!ids.has(id) && since < began) this.#uploads.delete(id)
    for (const id of ids) {
      if (this.#uploads.has(id)) continue
      const upload = await this.#files.configstore.get(id)
      const { userId, organizationId, outcome } = upload?.metadata ?? {}
      // Finished ones take no room any more.
      if (typeof outcome === 'string') continue
      if (typeof userId === 'string' && typeof organizationId === 'string')
        this.#uploads.set(id, { userId, organizationId, bytes: upload?.size ?? 0, since: began })
    }
  }

  forget(uploadId: string): void {
    this.#uploads.delete(uploadId)
  }

  /** Throws 429 when the person or the organization has begun as much as they may. */
  reserve(owner: UploadOwner, bytes: number): UploadRoom {
    const { uploadsPerPerson, uploadsPerOrganization, uploadGigabytesPerPerson, uploadGigabytesPerOrganization } =
      this.#settings
    const own = this.#list(({ userId }) => userId === owner.userId)
    const all = this.#list(({ organizationId }) => organizationId === owner.organizationId)
    if (isFull(own, bytes, uploadsPerPerson, uploadGigabytesPerPerson))
      throw tooManyRequests(retryAfterSeconds, 'Too many of your uploads have begun and are not finished.')
    if (isFull(all, bytes, uploadsPerOrganization, uploadGigabytesPerOrganization))
      throw tooManyOfAll(retryAfterSeconds, 'Too many uploads of your organization have begun and are not finished.')
    const reserved = `reserved ${crypto.randomUUID()}`
    const upload = { ...owner, bytes, since: performance.now() }
    this.#uploads.set(reserved, upload)
    return {
      keep: (uploadId) => {
        this.#uploads.delete(reserved)
        this.#uploads.set(uploadId, upload)
      },
      release: () => this.#uploads.delete(reserved),
    }
  }

  #list(isMatch: (upload: UnfinishedUpload) => boolean): UnfinishedUpload[] {
    return [...this.#uploads.values()].filter(isMatch)
  }
}

/** A single upload always begins: how large it may be is another limit. */
function isFull(uploads: readonly UnfinishedUpload[], bytes: number, most: number, mostGigabytes: number): boolean {
  const promised = uploads.reduce((sum, upload) => sum + upload.bytes, 0)
  return uploads.length >= most || (uploads.length > 0 && promised + bytes > mostGigabytes * 2 ** 30)
}
