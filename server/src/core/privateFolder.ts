import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const othersBits = 0o077

/**
 * Makes a folder and everything in it, now and later, the server's alone: patients, password hashes and keys must not
 * be readable by other accounts of the machine. Each folder is closed after its content, so that an interrupted repair
 * begins again; a closed folder needs none. What belongs to another account, such as the root of a mounted volume,
 * stays as it is: everything that the server keeps in it is closed all the same.
 */
export function makeFolderPrivate(folder: string): void {
  // Windows has access lists instead of modes.
  if (process.platform === 'win32') return
  process.umask(othersBits)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closeFolder(folder)
  } catch {
    // A folder that cannot be used at all is named by the code that opens it.
  }
}

function closeFolder(folder: string): void {
  if (!isOpenToOthers(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) closeFolder(path)
    else if (entry.isFile() && isOpenToOthers(path)) close(path)
  }
  close(folder)
}

const isOpenToOthers = (path: string): boolean => (lstatSync(path).mode & othersBits) !== 0

function close(path: string): void {
  try {
    chmodSync(path, lstatSync(path).mode & 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
