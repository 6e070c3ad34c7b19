import type { Upload } from '@tus/server'
import type { StoredOutcome } from '@dmp/dicom'
import type { UploadOwner } from '../unfinishedUploads.ts'

/**
 * What the server needs of the place where uploads wait for their last byte, beyond what the protocol asks of it: a
 * folder (`UploadFiles`), or rows and the object store (`SharedUploads`).
 */
export interface UploadStore {
  /** What an upload remembers of its key; nothing where encryption is off or the store sees to it. */
  chooseKey(organizationId: string): Promise<{ keyId?: string }>
  /** Whose upload it is, and what became of it; the protocol itself is told nothing of either. */
  findRecord(id: string): Promise<Upload['metadata']>
  getUpload(id: string): Promise<Upload>
  findOutcome(id: string): Promise<StoredOutcome | undefined>
  /** The bytes are stored and go; what became of them stays for whoever did not get the answer. */
  keepOutcome(id: string, outcome: StoredOutcome): Promise<void>
  /** Whose uploads are finished, the oldest first. */
  listOutcomes(): Promise<{ readonly id: string; readonly owner: UploadOwner }[]>
  /** The bytes that were uploaded. */
  readContent(id: string): Promise<AsyncIterable<Uint8Array>>
  remove(id: string): Promise<void>
}
