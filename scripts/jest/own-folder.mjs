import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A run's temporary files lie in one folder, so that no test has to remember to remove its own. Workers begin with this
 * environment.
 */
export default function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-run-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  globalThis.removeOwnFolder = () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
