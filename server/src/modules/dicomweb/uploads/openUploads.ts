import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locker, Server } from '@tus/server'
import type { Dependencies } from '../../../dependencies.ts'
import { uploadExpiryHours } from '../tusServices.ts'
import { UnfinishedUploads, type UploadRooms } from '../unfinishedUploads.ts'
import { UploadFiles } from '../uploadFiles.ts'
import { UploadLocker } from '../uploadLocker.ts'
import { SharedRooms } from './sharedRooms.ts'
import { SharedUploads } from './sharedUploads.ts'
import { lockBetweenServers, UploadLeases } from './uploadLeases.ts'
import type { UploadStore } from './uploadStore.ts'

/** Where uploads wait for their last byte, and who may write to them. */
export interface OpenUploads {
  readonly files: UploadStore & Server['datastore']
  readonly unfinished: UploadRooms
  readonly locker: Locker
  readonly exclusively: <T>(uploadId: string, act: () => Promise<T>) => Promise<T>
}

/**
 * In the folder of the server; or, where several servers have a database and a bucket in common, as rows and objects,
 * so that an upload goes on at any of them.
 */
export async function openUploads(deps: Dependencies): Promise<OpenUploads> {
  const { bus, database, db, settings, stopping } = deps
  const directory = join(settings.dataDir, 'uploads')
  await mkdir(directory, { recursive: true })
  const files = new UploadFiles(deps, { directory, expirationPeriodInMilliseconds: uploadExpiryHours * 3_600_000 })
  const unfinished = new UnfinishedUploads(settings, files)
  const locker = new UploadLocker(stopping.signal)
  if (database.embedded !== undefined || settings.s3Bucket === undefined)
    return { files, unfinished, locker, exclusively: (_uploadId, act) => act() }
  const leases = new UploadLeases(db, bus)
  return {
    files: new SharedUploads(deps, leases, files),
    unfinished: new SharedRooms(db, settings, unfinished),
    locker: lockBetweenServers(locker, leases),
    exclusively: (uploadId, act) => leases.exclusively(uploadId, act),
  }
}
