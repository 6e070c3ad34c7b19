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
      writeSync(handle, [process.pid, findStart(process.pid)].filter(Boolean).join(' '))
      closeSync(handle)
      return () => rmSync(file, { force: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Stop(`${path.dirname(file)} cannot be written. Name another folder with --state.`)
      const owner = readOwner(file)
      if (owner === 'beginning') break
      if (isRunning(owner))
        throw new Stop(
          `Another uploader (process ${owner.pid}) is sending to this server with this account. Let it finish, or stop it first.`,
        )
      // A lock that a crash left behind.
      rmSync(file, { force: true })
    }
  }
  throw new Stop('Another uploader has just started. Let it finish, or try again in a few seconds.')
}

interface Owner {
  /** 0 when it is gone. */
  readonly pid: number
  /** Undefined where the system does not say it. */
  readonly start: string | undefined
}

/** The process that holds the lock. */
function readOwner(file: string): Owner | 'beginning' {
  try {
    const content = readFileSync(file, 'utf8')
    if (content === '' && Date.now() - statSync(file).mtimeMs < beginsWithinMs) return 'beginning'
    const [pid, start] = content.split(' ')
    return { pid: Number(pid), start }
  } catch (cause) {
    // Given back since.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { pid: 0, start: undefined }
    throw cause
  }
}

function isRunning({ pid, start }: Owner): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return isSameStart(pid, start)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM' && isSameStart(pid, start)
  }
}

/** After a crash the number may be that of another program by now. */
const isSameStart = (pid: number, start: string | undefined): boolean =>
  start === undefined || (findStart(pid) ?? start) === start

/** When a process started, as Linux counts it (proc_pid_stat(5), field 22). */
function findStart(pid: number): string | undefined {
  try {
    // The name in parentheses may have spaces and parentheses of its own.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}
