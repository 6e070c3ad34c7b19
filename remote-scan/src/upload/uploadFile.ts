import type { PickedFile } from './droppedFiles.ts'
import type { FileSeries } from '@dmp/dicom'
import type { UploadOutcome } from './uploadOutcome.ts'

export type UploadState = 'waiting' | 'sending' | UploadOutcome['kind']

export interface UploadFile extends PickedFile {
  readonly organizationId: string
  readonly state: UploadState
  /** Why it was refused. */
  readonly reason?: string
  /** It is of a disc or folder, not of the patient: a viewer, an index. It was not stored, and nothing is wrong. */
  readonly isSkipped?: boolean
  /** From the file's own header. */
  readonly series?: FileSeries
  /** From the server, once the file is stored. */
  readonly seriesUID?: string
  /** Where its bytes arrive, when it is sent by tus. */
  readonly uploadUrl?: string
}

export interface Uploads {
  /** The user who began it: no other user of this browser sees it or continues it. */
  readonly owner: string
  readonly files: readonly UploadFile[]
  /** Of the request under way. */
  readonly sentBytes: number
  readonly isRunning: boolean
  readonly isPaused: boolean
  /** Why it stands still: the connection is lost and it tries again, or the server refused the request. */
  readonly trouble: { readonly message: string; readonly isPassing: boolean } | null
}

export const isDone = ({ state }: UploadFile): boolean => state !== 'waiting' && state !== 'sending'

/** Whether the server has it, from now on or since before. */
export const isStored = ({ state }: UploadFile): boolean => state === 'stored' || state === 'duplicate'

/** Whether somebody should look at the reason. */
export const isRefused = ({ state, isSkipped = false }: UploadFile): boolean => state === 'refused' && !isSkipped

const discFile = /^(?:autorun\.\w+|dicomdir|readme[^/]*|[^/]+\.(?:exe|dll|inf|ini|ico|bat|cmd|chm|jar|html?|css|js))$/i

/** What lies about in folders, and nobody means to be a picture or a document. */
const strayFile = /(?:\.(?:txt|log|md|nfo|xml|json|csv|url|lnk|db)|^\.ds_store)$/i

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Whether files of this name are known to lie beside images, on a disc or in a folder. */
export const isBesideImages = (path: string): boolean => discFile.test(nameOf(path)) || strayFile.test(nameOf(path))

/** Whether it is what every disc with images has, and nothing else (PS3.10, section 8.6). */
export const isIndex = (path: string): boolean => /^dicomdir$/i.test(nameOf(path))

/** Whether the upload waits for a person. */
export const isStuck = ({ trouble }: Uploads): boolean => trouble !== null && !trouble.isPassing
