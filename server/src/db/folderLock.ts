import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartFailure } from '../core/StartFailure.ts'

/**
 * Makes sure that one server at a time opens a data folder: PGlite has no lock of its own, and two processes on one
 * folder silently lose rows. An open exclusive transaction of SQLite is the lock, because the system frees it even
 * after kill -9.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch {
    throw new StartFailure(
      `The data folder ${folder} cannot be created. Make its parent writable, or name another folder with DMP_DATA_DIR.`,
    )
  }
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, 'lock'))
    lock.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    lock?.close()
    if (/locked|busy/i.test(String((error as { message?: unknown }).message))) {
      throw new StartFailure(
        `Another server is using the data folder ${folder}. Stop it first, or name another folder with DMP_DATA_DIR.`,
      )
    }
    throw new StartFailure(
      `The data folder ${folder} is not writable. Give this user write access, or name another folder with DMP_DATA_DIR.`,
    )
  }
  const currentLock = lock
  return () => currentLock.close()
}
