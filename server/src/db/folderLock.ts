import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
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
        `Another server${findOwner(folder)} is using the data folder ${folder}. Stop it first, or name another folder with DMP_DATA_DIR.`,
      )
    }
    throw new StartFailure(
      `The data folder ${folder} is not writable. Give this user write access, or name another folder with DMP_DATA_DIR.`,
    )
  }
  const currentLock = lock
  noteOwner(folder)
  return () => {
    rmSync(ownerFile(folder), { force: true })
    currentLock.close()
  }
}

/** Who has the lock, for people; a file of its own, because nobody else can read the locked one. */
interface Owner {
  readonly pid: number
  readonly machine: string
}

const ownerFile = (folder: string): string => join(folder, 'lock-owner.json')

function noteOwner(folder: string): void {
  try {
    writeFileSync(ownerFile(folder), JSON.stringify({ pid: process.pid, machine: hostname() } satisfies Owner))
  } catch {
    // A full disk is said by the database; a note of a process that is gone would name another one.
    rmSync(ownerFile(folder), { force: true })
  }
}

/** The process of this machine that has the folder open; undefined where none is known. */
export function findOwnerPid(folder: string): number | undefined {
  try {
    const { pid, machine } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as Owner
    // Throws where it is gone: it was killed, and could not take its note away.
    return machine === hostname() && process.kill(pid, 0) ? pid : undefined
  } catch {
    return undefined
  }
}

/** In words to stand behind "another server"; none where it is not known. */
function findOwner(folder: string): string {
  try {
    const { pid, machine } = JSON.parse(readFileSync(ownerFile(folder), 'utf8')) as Owner
    return machine === hostname() ? ` (process ${pid})` : ` (process ${pid} of ${machine})`
  } catch {
    return ''
  }
}
