import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartFailure } from './StartFailure.ts'

const othersBits = 0o077

/**
 * Makes a folder and everything in it, now and later, the server's alone: patients, password hashes and keys must not
 * be readable by other accounts of the machine. The folder itself comes last, so that an interrupted repair begins
 * again; a closed folder needs none.
 */
export function makeFolderPrivate(folder: string): void {
  // Windows has access lists instead of modes.
  if (process.platform === 'win32') return
  process.umask(othersBits)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isOpenToOthers(folder)) closeFolder(folder)
  } catch {
    // The folder is not ours to change. A folder that cannot be used at all is named by what opens it.
    refuseOpenFolder(folder)
  }
}

const isOpenToOthers = (path: string): boolean => (lstatSync(path).mode & othersBits) !== 0

function closeFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) closeFolder(path)
    else if (entry.isFile() && isOpenToOthers(path)) chmodSync(path, lstatSync(path).mode & 0o700)
  }
  chmodSync(folder, 0o700)
}

function refuseOpenFolder(folder: string): void {
  let mode = 0
  try {
    mode = lstatSync(folder).mode
  } catch {
    return
  }
  if ((mode & 0o007) !== 0 && (mode & 0o170_000) === 0o040_000)
    throw new StartFailure(
      `Other accounts of this machine can read the data folder ${folder}, and this user may not change that. ` +
        'Make this user its owner, or name a folder inside it with DMP_DATA_DIR: the server then makes that one itself.',
    )
}
