import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import { createApi } from './api.ts'

const root = join(import.meta.dirname, '..', '..')

const toIntegrity = (content: Buffer): string => `sha384-${createHash('sha384').update(content).digest('base64')}`

const unpublished = new Set(['build.json', 'inputs.txt', 'sbom.cdx.json'])

/**
 * Brings a build of a remote, as it lies in this checkout, with one script changed: what a merge request would bring.
 *
 * @param change from each script of the remote's screens to what it is in the change
 * @returns the id of the release
 */
export async function bringChanged(
  address: string,
  token: string,
  part: string,
  change: (script: string) => string,
): Promise<string> {
  const dist = join(root, part, 'dist')
  const { name, declaration, entry, initial, chunks, uses, provides, consumes } = JSON.parse(
    readFileSync(join(dist, 'build.json'), 'utf8'),
  ) as BuildRecord
  const paths = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.endsWith('.map') && !unpublished.has(file.name))
    .map((file) => relative(dist, join(file.parentPath, file.name)).split(sep).join('/'))
  const files = new Map(paths.map((path) => [path, readFileSync(join(dist, path))]))
  let first = files.get(entry)!.toString('utf8')
  for (const path of new Set(Object.values(chunks).flat()))
    if (path.endsWith('.js')) {
      const before = files.get(path)!
      const after = Buffer.from(change(before.toString('utf8')))
      // The first script names the hash of every other.
      first = first.replace(toIntegrity(before), toIntegrity(after))
      files.set(path, after)
    }
  files.set(entry, Buffer.from(first))
  const { releaseId } = await createApi(address, token)<{ releaseId: string }>('PUT', `Release/publish/${part}`, {
    record: { name, declaration, entry, initial, chunks, uses, provides, consumes },
    commit: 'unknown',
    files: [...files].map(([path, content]) => ({ path, content: content.toString('base64') })),
  })
  return releaseId
}

/** `npm run release -- …` at a deployment, as a pipeline runs it; returns the line of JSON that it prints. */
export function runRelease<T>(address: string, token: string, ...words: readonly string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, 'scripts/commands/release.ts'), ...words, '--json'],
      { env: { ...process.env, DMP_RELEASE_TO: address, DMP_RELEASE_TOKEN: token } },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${words.join(' ')} failed: ${stdout}${stderr}`)) : resolve(JSON.parse(stdout) as T),
    )
  })
}
