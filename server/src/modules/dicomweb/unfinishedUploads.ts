import { randomBytes } from 'node:crypto'
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
  /** The id that it will have. */
  readonly uploadId: string
  /** It begins. */
  keep(): void
  /** Unless it has begun, nothing became of it. */
  release(): void | Promise<void>
}

/** What is begun and not finished, so that everybody's share of it is bounded. */
export interface UploadRooms {
  /** Throws 429 when the person or the organization has begun as much as they may. */
  reserve(owner: UploadOwner, bytes: number): UploadRoom | Promise<UploadRoom>
  forget(uploadId: string): void
  /** Takes over what lies on the disk, and forgets what does not any more. */
  refresh(): Promise<void>
  count(): number | Promise<number>
}

export const newUploadId = (): string => randomBytes(16).toString('hex')

const retryAfterSeconds = 60

/**
 * Uploads that were begun and not finished, and the bytes that were promised for them: what they take of the disk is
 * bounded for each person and each organization.
 */
export class UnfinishedUploads implements UploadRooms {
  readonly #settings: Settings
  readonly #files: FileStore
  readonly #uploads = new Map<string, UnfinishedUpload>()

  constructor(settings: Settings, files: FileStore) {
    this.#settings = settings
    this.#files = files
  }

  count = (): number => this.#uploads.size

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

  reserve(owner: UploadOwner, bytes: number): UploadRoom {
    assertRoomFor(this.#settings, bytes, {
      person: this.#sum(({ userId }) => userId === owner.userId),
      organization: this.#sum(({ organizationId }) => organizationId === owner.organizationId),
    })
    const uploadId = newUploadId()
    let isKept = false
    this.#uploads.set(uploadId, { ...owner, bytes, since: performance.now() })
    return {
      uploadId,
      keep: () => void (isKept = true),
      release: () => {
        if (!isKept) this.#uploads.delete(uploadId)
      },
    }
  }

  #sum(isMatch: (upload: UnfinishedUpload) => boolean): Unfinished {
    const uploads = [...this.#uploads.values()].filter(isMatch)
    return { count: uploads.length, bytes: uploads.reduce((sum, { bytes }) => sum + bytes, 0) }
  }
}

/** How many there are, and the bytes that were promised for them. */
interface Unfinished {
  readonly count: number
  readonly bytes: number
}

/** Throws 429 where one more of so many bytes is too much. */
export function assertRoomFor(
  settings: Settings,
  bytes: number,
  { person, organization }: { readonly person: Unfinished; readonly organization: Unfinished },
): void {
  const { uploadsPerPerson, uploadsPerOrganization, uploadGigabytesPerPerson, uploadGigabytesPerOrganization } =
    settings
  if (isFull(person, bytes, uploadsPerPerson, uploadGigabytesPerPerson))
    throw tooManyRequests(retryAfterSeconds, 'Too many of your uploads have begun and are not finished.')
  if (isFull(organization, bytes, uploadsPerOrganization, uploadGigabytesPerOrganization))
    throw tooManyOfAll(retryAfterSeconds, 'Too many uploads of your organization have begun and are not finished.')
}

/** A single upload always begins: how large it may be is another limit. */
const isFull = (unfinished: Unfinished, bytes: number, most: number, mostGigabytes: number): boolean =>
  unfinished.count >= most || (unfinished.count > 0 && unfinished.bytes + bytes > mostGigabytes * 2 ** 30)
