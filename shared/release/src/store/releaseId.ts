import { createHash } from 'node:crypto'
import type { BuildRecord } from '@dmp/contract/release'

/**
 * The name of a release: a hash of what its build noted and of every file. Whoever alters a stored release, its hashes
 * included, alters the name that it would have to have.
 *
 * @param files path and integrity of each file, in the order of the document
 */
export function createReleaseId(
  record: BuildRecord,
  files: Iterable<{ readonly path: string; readonly integrity: string }>,
): string {
  const hash = createHash('sha256').update(JSON.stringify(record))
  for (const { path, integrity } of files) hash.update(`\n${path} ${integrity}`)
  return hash.digest('hex').slice(0, 16)
}
