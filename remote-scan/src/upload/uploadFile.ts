import type { PickedFile } from './droppedFiles.ts'
import type { FileSeries } from './seriesOf.ts'

export type UploadState = 'waiting' | 'sending' | 'stored' | 'known' | 'refused'

export interface UploadFile extends PickedFile {
  readonly organizationId: string
  readonly state: UploadState
  /** Why it was refused. */
  readonly reason?: string
  /** As its own header says. */
  readonly series?: FileSeries
  /** As the server says, once it is stored. */
  readonly seriesUID?: string
  /** Where its bytes arrive, when it is sent so that it can go on in the middle. */
  readonly place?: string
}

export interface Uploads {
  /** Who began it: nobody else who signs in here sees or goes on with it. */
  readonly owner: string
  readonly files: readonly UploadFile[]
  /** Of the request under way. */
  readonly sentBytes: number
  readonly isRunning: boolean
  readonly isPaused: boolean
  /** Why it stands still: the line is gone and it tries again, or the server refused the whole. */
  readonly trouble: { readonly message: string; readonly isPassing: boolean } | null
}

export const isDone = ({ state }: UploadFile): boolean => state !== 'waiting' && state !== 'sending'
