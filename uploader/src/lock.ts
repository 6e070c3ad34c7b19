import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { Stop } from './stop.ts'

/** Between making the file and writing into it lies an instant. */
const beginsWithinMs = 5000

/** Keeps two uploaders from working with one journal. Returns the function that gives it back. */
export function takeLock(file: string): () => void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return () => rmSync(file, { force: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Stop(`${path.dirname(file)} cannot be written. Name another folder with --state.`)
      const owner = readOwner(file)
      if (owner === 'beginning') break
      if (isRunning(owner))
        throw new Stop(
          `Another uploader (process ${owner}) is sending to this server with this account. Let it finish, or stop it first.`,
        )
      // A lock that a crash left behind.
      rmSync(file, { force: true })
    }
  }
  throw new Stop('Another uploader has just started. Let it finish, or try again in some seconds.')
}

/** The process that holds the lock; 0 when it is gone. */
function readOwner(file: string): number | 'beginning' {
  try {
    const content = readFileSync(file, 'utf8')
    return content === '' && Date.now() - statSync(file).mtimeMs < beginsWithinMs ? 'beginning' : Number(content)
  } catch (cause) {
    // Given back since.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw cause
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
