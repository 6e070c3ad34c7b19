import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A run's temporary files lie in one folder, so that no test has to remember to remove its own. Workers begin with this
 * environment.
 */
export default function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-run-'))
  const previousFolder = process.env.TMPDIR
  process.env.TMPDIR = folder
  globalThis.removeTemporaryFolder = () => {
    if (previousFolder === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = previousFolder
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
