import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Holds the file for this process; returns what lets go of it. Throws where a living process holds it. */
export function lockFile(file: string, busy: string): () => void {
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isAlive(Number(readFileSync(file, 'utf8')))) throw new Error(busy)
    // Whoever held it was killed.
    rmSync(file, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    // It is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
